/* rng.c: ChaCha8; see rng.h. */
#include "base/rng.h"

#include <string.h>
#include <sys/random.h>

enum { ROUNDS = 8, WORDS = 16 };

static uint32_t rotate_left(uint32_t value, int count)
{
    return (value << count) | (value >> (32 - count));
}

static void quarter_round(uint32_t *words, size_t a, size_t b, size_t c, size_t d)
{
    words[a] += words[b];
    words[d] = rotate_left(words[d] ^ words[a], 16);
    words[c] += words[d];
    words[b] = rotate_left(words[b] ^ words[c], 12);
    words[a] += words[b];
    words[d] = rotate_left(words[d] ^ words[a], 8);
    words[c] += words[d];
    words[b] = rotate_left(words[b] ^ words[c], 7);
}

static void make_block(struct rng *rng)
{
    uint32_t start[WORDS] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t words[WORDS];

    for (size_t i = 0; i < 4; i++) {
        start[4 + 2 * i] = (uint32_t)rng->key[i];
        start[5 + 2 * i] = (uint32_t)(rng->key[i] >> 32);
    }
    start[12] = (uint32_t)rng->counter;
    start[13] = (uint32_t)(rng->counter >> 32);
    memcpy(words, start, sizeof words);
    for (int i = 0; i < ROUNDS; i += 2) {
        for (size_t k = 0; k < 4; k++) { /* columns, then diagonals */
            quarter_round(words, k, 4 + k, 8 + k, 12 + k);
        }
        for (size_t k = 0; k < 4; k++) {
            quarter_round(words, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4);
        }
    }
    for (size_t i = 0; i < RNG_BLOCK; i++) {
        rng->numbers[i] = (uint64_t)(words[2 * i] + start[2 * i]) |
                          (uint64_t)(words[2 * i + 1] + start[2 * i + 1]) << 32;
    }
    rng->counter++;
    rng->used = 0;
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    *rng = (struct rng){.key = {seed, a, b, c}, .used = RNG_BLOCK};
}

uint64_t rng_next(struct rng *rng)
{
    if (rng->used == RNG_BLOCK) {
        make_block(rng);
    }
    return rng->numbers[rng->used++];
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
