/* rng.c: xoshiro256** and splitmix64; see rng.h. */
#include "base/rng.h"

#include <sys/random.h>

static uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int count)
{
    return (value << count) | (value >> (64 - count));
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t names[3] = {a, b, c};
    uint64_t state = seed;

    for (int i = 0; i < 3; i++) {
        state = splitmix_next(&state) ^ names[i];
    }
    for (int i = 0; i < 4; i++) {
        rng->state[i] = splitmix_next(&state);
    }
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

int64_t rng_range(struct rng *rng, int64_t minimum, int64_t maximum)
{
    uint64_t span = (uint64_t)maximum - (uint64_t)minimum + 1;

    if (span == 0) {
        return (int64_t)rng_next(rng);
    }
    uint64_t reject_below = (0 - span) % span; /* 2^64 mod span: makes every remainder as likely */
    uint64_t value;
    do {
        value = rng_next(rng);
    } while (value < reject_below);
    return (int64_t)((uint64_t)minimum + value % span);
}

float rng_float(struct rng *rng)
{
    uint64_t bits = rng_next(rng);
    float magnitude = (float)((bits >> 40) | 1) * 0x1p-24f;

    return (bits & 1) != 0 ? -magnitude : magnitude;
}

bool rng_seed_from_system(uint64_t *out_seed)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        return false;
    }
    *out_seed = seed;
    return true;
}
