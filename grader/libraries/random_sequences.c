/* random_sequences.c: see random_sequences.h. The generators are those of
 * cuda_headers/device_code/random_generators.h, which names where they were published. */
#include "libraries/random_sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define __device__
#include "cuda_headers/device_code/xorwow_powers.h"
#undef __device__

#define MRG_1 4294967087u
#define MRG_2 4294944443u

/* XORWOW *************************************************************************************/

static void xorwow_step(uint32_t *v)
{
    const uint32_t t = v[0] ^ v[0] >> 2;

    memmove(v, v + 1, 4 * sizeof(*v));
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

/* Steps n times, or (far) n times 2^67 times. */
static void xorwow_skip(uint64_t n, uint32_t *v, int far)
{
    for (int bit = 0; n != 0; bit++, n >>= 1) {
        uint32_t sum[5] = {0};

        if ((n & 1) == 0) {
            continue;
        }
        for (int i = 0; i < 160; i++) {
            if ((gpugrade_xorwow_powers[far][bit][i / 32] >> i % 32 & 1) != 0) {
                for (int word = 0; word < 5; word++) {
                    sum[word] ^= v[word];
                }
            }
            xorwow_step(v);
        }
        memcpy(v, sum, sizeof(sum));
    }
}

static uint32_t xorwow_next(struct random_lane *lane)
{
    xorwow_step(lane->words);
    lane->words[5] += 362437;
    return lane->words[4] + lane->words[5];
}

static void xorwow_start(uint64_t seed, struct random_lane *out)
{
    const uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    const uint32_t high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);

    *out = (struct random_lane){{123456789u + low, 362436069u ^ low, 521288629u + high,
                                 88675123u ^ high, 5783321u + low, 6615241u + high + low}};
}

/* MRG32k3a ***********************************************************************************/

typedef uint32_t matrix[3][3];

static const matrix mrg_steps[2] = {
    {{0, 1, 0}, {0, 0, 1}, {MRG_1 - 810728, 1403580, 0}},
    {{0, 1, 0}, {0, 0, 1}, {MRG_2 - 1370589, 0, 527612}},
};
/* Those of 2^76 steps, the length of a subsequence. */
static const matrix mrg_far_steps[2] = {
    {{82758667, 1871391091, 4127413238},
     {3672831523, 69195019, 1871391091},
     {3672091415, 3528743235, 69195019}},
    {{1511326704, 3759209742, 1610795712},
     {4292754251, 1511326704, 3889917532},
     {3859662829, 4292754251, 3708466080}},
};

static void multiply(const matrix by, const uint32_t *vector, uint32_t prime, uint32_t *out)
{
    for (int row = 0; row < 3; row++) {
        uint64_t sum = 0;

        for (int i = 0; i < 3; i++) {
            sum += (uint64_t)by[row][i] * vector[i] % prime;
        }
        out[row] = (uint32_t)(sum % prime);
    }
}

/* Multiplies a state by the n-th power of a matrix. */
static void mrg_skip_one(uint64_t n, const matrix step, uint32_t prime, uint32_t *state)
{
    matrix power, columns;

    memcpy(power, step, sizeof(power));
    for (; n != 0; n >>= 1) {
        if ((n & 1) != 0) {
            uint32_t moved[3];

            multiply((const uint32_t(*)[3])power, state, prime, moved);
            memcpy(state, moved, sizeof(moved));
        }
        for (int column = 0; column < 3; column++) {
            const uint32_t vector[] = {power[0][column], power[1][column], power[2][column]};

            multiply((const uint32_t(*)[3])power, vector, prime, columns[column]);
        }
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                power[row][column] = columns[column][row];
            }
        }
    }
}

static void mrg_skip(uint64_t n, struct random_lane *lane, const matrix *steps)
{
    mrg_skip_one(n, steps[0], MRG_1, lane->words);
    mrg_skip_one(n, steps[1], MRG_2, lane->words + 3);
}

/* A number from 1 to the first prime. */
static uint32_t mrg_next(struct random_lane *lane)
{
    uint32_t *const a = lane->words, *const b = lane->words + 3;
    const uint32_t x =
        (uint32_t)((UINT64_C(1403580) * a[1] + UINT64_C(810728) * (MRG_1 - a[0])) % MRG_1);
    const uint32_t y =
        (uint32_t)((UINT64_C(527612) * b[2] + UINT64_C(1370589) * (MRG_2 - b[0])) % MRG_2);

    a[0] = a[1], a[1] = a[2], a[2] = x;
    b[0] = b[1], b[1] = b[2], b[2] = y;
    return x <= y ? x - y + MRG_1 : x - y;
}

static void mrg_start(uint64_t seed, struct random_lane *out)
{
    const uint64_t low = (uint32_t)seed ^ 0x55555555u;
    const uint64_t high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;

    for (int i = 0; i < 3; i++) {
        out->words[i] = out->words[3 + i] = 12345;
        if (seed != 0) {
            out->words[i] = (uint32_t)((i == 1 ? high : low) * 12345 % MRG_1);
            out->words[3 + i] = (uint32_t)((i == 1 ? low : high) * 12345 % MRG_2);
        }
    }
}

/* Philox *************************************************************************************/

static void philox(const uint32_t *counter, uint64_t seed, uint32_t *out)
{
    uint32_t key[] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

    memcpy(out, counter, 4 * sizeof(*out));
    for (int round = 0; round < 10; round++) {
        const uint64_t x = UINT64_C(0xd2511f53) * out[0], z = UINT64_C(0xcd9e8d57) * out[2];

        out[0] = (uint32_t)(z >> 32) ^ out[1] ^ key[0];
        out[1] = (uint32_t)z;
        out[2] = (uint32_t)(x >> 32) ^ out[3] ^ key[1];
        out[3] = (uint32_t)x;
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
}

/* Results ************************************************************************************/

static float unit_float(uint32_t bits)
{
    return (float)bits * 0x1p-32f + 0x1p-33f;
}

static double unit_double(uint32_t low, uint32_t high)
{
    return (double)(low ^ (uint64_t)high << 21) * 0x1p-53 + 0x1p-54;
}

/* What the results of a draw are made of: the 32-bit numbers of one lane, or those of MRG32k3a as
 * parts of 1. */
struct source {
    uint32_t bits[8];
    double parts[2];
    bool has_parts;
};

/* Result `index` of a draw, uniform. */
static float uniform_of(const struct source *source, unsigned index)
{
    return source->has_parts ? (float)source->parts[index] : unit_float(source->bits[index]);
}

static double uniform_double_of(const struct source *source, unsigned index)
{
    return source->has_parts ? source->parts[index]
                             : unit_double(source->bits[2 * index], source->bits[2 * index + 1]);
}

/* Normal ones come in pairs, by the Box-Muller transform. */
static double normal_of(const struct source *source, unsigned index)
{
    const float turn = 2.3283064e-10f * 6.2831855f;
    const unsigned first = index & ~1u;
    const float unit = uniform_of(source, first);
    const float angle = source->has_parts ? (float)source->parts[1] * 6.2831855f
                                          : (float)source->bits[first + 1] * turn + turn / 2;
    const float length = sqrtf(-2.0f * logf(unit));

    return (double)((index & 1) == 0 ? sinf(angle) * length : cosf(angle) * length);
}

static double normal_double_of(const struct source *source, unsigned index)
{
    const double pi = 3.14159265358979323846;
    const unsigned first = index & ~1u;
    const uint32_t *bits = source->bits + 2 * first;
    const double unit = uniform_double_of(source, first);
    const double half_turns = source->has_parts
                                  ? source->parts[1] * 2.0
                                  : (double)(bits[2] ^ (uint64_t)bits[3] << 21) * 0x1p-52 + 0x1p-53;
    const double length = sqrt(-2.0 * log(unit));

    return (index & 1) == 0 ? sin(pi * half_turns) * length : cos(pi * half_turns) * length;
}

/* Poisson: the first number whose share of all, together with what is less, reaches a uniform
 * number. Numbers further from the mean than any of 2^32 draws come are left out. */
struct poisson {
    uint32_t first;
    size_t count;
    double *shares; /* [count]: of `first` to `first` + i, together; owned */
};

static bool poisson_make(double mean, struct poisson *out)
{
    const double reach = 12.0 * sqrt(mean) + 24.0;
    double sum = 0.0;

    out->first = mean > reach ? (uint32_t)(mean - reach) : 0;
    out->count = (size_t)(mean + reach) - out->first + 1;
    out->shares = calloc(out->count, sizeof(*out->shares));
    for (size_t i = 0; out->shares != NULL && i < out->count; i++) {
        const double number = (double)out->first + (double)i;

        sum += exp(number * log(mean) - mean - lgamma(number + 1.0));
        out->shares[i] = sum;
    }
    return out->shares != NULL;
}

static uint32_t poisson_of(const struct poisson *poisson, double uniform)
{
    size_t low = 0, high = poisson->count - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (poisson->shares[middle] < uniform) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return poisson->first + (uint32_t)low;
}

static void put_word(uint32_t value, void *out, size_t at)
{
    memcpy((uint8_t *)out + at * sizeof(value), &value, sizeof(value));
}

static void put_float(float value, void *out, size_t at)
{
    memcpy((uint8_t *)out + at * sizeof(value), &value, sizeof(value));
}

static void put_double(double value, void *out, size_t at)
{
    memcpy((uint8_t *)out + at * sizeof(value), &value, sizeof(value));
}

/* Puts result `index` of a draw into place `at`. */
static void put(const struct random_wish *wish, const struct poisson *poisson,
                const struct source *source, unsigned index, void *out, size_t at)
{
    const float mean = (float)wish->mean, deviation = (float)wish->deviation;

    switch (wish->what) {
    case RANDOM_BITS:
        put_word(source->bits[index], out, at);
        break;
    case RANDOM_POISSON:
        put_word(poisson_of(poisson, source->has_parts ? source->parts[index]
                                                       : source->bits[index] * 0x1p-32 + 0x1p-33),
                 out, at);
        break;
    case RANDOM_UNIFORM:
        put_float(uniform_of(source, index), out, at);
        break;
    case RANDOM_UNIFORM_DOUBLE:
        put_double(uniform_double_of(source, index), out, at);
        break;
    case RANDOM_NORMAL:
        put_float(mean + deviation * (float)normal_of(source, index), out, at);
        break;
    case RANDOM_NORMAL_DOUBLE:
        put_double(wish->mean + wish->deviation * normal_double_of(source, index), out, at);
        break;
    case RANDOM_LOG_NORMAL:
        put_float(expf(mean + deviation * (float)normal_of(source, index)), out, at);
        break;
    case RANDOM_LOG_NORMAL_DOUBLE:
        put_double(exp(wish->mean + wish->deviation * normal_double_of(source, index)), out, at);
        break;
    }
}

bool random_is_paired(enum random_what what)
{
    return what >= RANDOM_NORMAL;
}

static bool is_double(enum random_what what)
{
    return what == RANDOM_UNIFORM_DOUBLE || what == RANDOM_NORMAL_DOUBLE ||
           what == RANDOM_LOG_NORMAL_DOUBLE;
}

size_t random_bytes(enum random_what what)
{
    return is_double(what) ? sizeof(double) : sizeof(float);
}

/* Lanes **************************************************************************************/

/* Results of a draw. */
static unsigned width_of(const struct random_ring *ring, enum random_what what)
{
    if (ring->kind == RANDOM_PHILOX) {
        return 4;
    }
    return random_is_paired(what) ? 2 : 1;
}

/* The numbers for one draw of a lane, which moves on. */
static void take(const struct random_ring *ring, struct random_lane *lane, enum random_what what,
                 struct source *out)
{
    const unsigned numbers = width_of(ring, what) * (is_double(what) ? 2 : 1);

    if (ring->kind == RANDOM_MRG32K3A) {
        const unsigned parts = width_of(ring, what);

        out->has_parts = true;
        for (unsigned i = 0; i < parts; i++) {
            const uint32_t next = mrg_next(lane);

            out->parts[i] = (double)next * 2.3283065498378288e-10;
            out->bits[i] = (uint32_t)((double)next * 1.000000048662);
        }
        return;
    }
    for (unsigned i = 0; i < numbers && ring->kind == RANDOM_XORWOW; i++) {
        out->bits[i] = xorwow_next(lane);
    }
    for (unsigned i = 0; i < numbers && ring->kind == RANDOM_PHILOX; i += 4) {
        philox(lane->words, ring->seed, out->bits + i);
        lane->words[0]++;
        lane->words[1] += lane->words[0] == 0 ? 1 : 0;
    }
}

/* Lets a lane start with `skipped` numbers left out. */
static void start_lane(const struct random_ring *ring, size_t index, uint64_t skipped,
                       const struct random_lane *first, struct random_lane *out)
{
    *out = *first;
    switch (ring->kind) {
    case RANDOM_XORWOW:
        xorwow_skip(skipped, out->words, 0);
        out->words[5] += 362437u * (uint32_t)skipped;
        break;
    case RANDOM_MRG32K3A:
        mrg_skip(skipped, out, mrg_steps);
        break;
    case RANDOM_PHILOX:
        *out = (struct random_lane){
            {(uint32_t)skipped, (uint32_t)(skipped >> 32), (uint32_t)index, 0}};
        break;
    }
}

static bool start_lanes(struct random_ring *ring)
{
    static const size_t counts[] = {4096, 81920, 65536};
    const unsigned width = ring->kind == RANDOM_PHILOX ? 4 : 1;
    struct random_lane first = {{0}};

    ring->lane_count = ring->is_legacy && ring->kind == RANDOM_MRG32K3A ? 4096 : counts[ring->kind];
    ring->lanes = calloc(ring->lane_count, sizeof(*ring->lanes));
    if (ring->lanes == NULL) {
        return false;
    }
    if (ring->kind == RANDOM_XORWOW) {
        xorwow_start(ring->seed, &first);
    } else if (ring->kind == RANDOM_MRG32K3A) {
        mrg_start(ring->seed, &first);
    }
    const uint64_t draws = ring->offset / width;
    ring->next = (size_t)(draws % ring->lane_count);
    ring->inside = (unsigned)(ring->offset % width);
    for (size_t i = 0; i < ring->lane_count; i++) {
        const uint64_t rounds = draws / ring->lane_count + (i < ring->next ? 1 : 0);

        start_lane(ring, i, rounds, &first, &ring->lanes[i]);
        if (ring->kind == RANDOM_XORWOW) {
            xorwow_skip(1, first.words, 1);
        } else if (ring->kind == RANDOM_MRG32K3A) {
            mrg_skip(1, &first, mrg_far_steps);
        }
    }
    return true;
}

void random_restart(struct random_ring *ring)
{
    free(ring->lanes);
    ring->lanes = NULL;
}

bool random_draw(struct random_ring *ring, const struct random_wish *wish, size_t count, void *out)
{
    struct poisson poisson = {0};

    if ((ring->lanes == NULL && !start_lanes(ring)) ||
        (wish->what == RANDOM_POISSON && !poisson_make(wish->mean, &poisson))) {
        return false;
    }
    const unsigned width = width_of(ring, wish->what);
    for (size_t at = 0; at < count;) {
        struct random_lane lane = ring->lanes[ring->next];
        struct source source = {.has_parts = false};

        take(ring, &lane, wish->what, &source);
        while (at < count && ring->inside < width) {
            put(wish, &poisson, &source, ring->inside++, out, at++);
        }
        if (ring->inside == width) {
            ring->lanes[ring->next] = lane;
            ring->next = (ring->next + 1) % ring->lane_count;
            ring->inside = 0;
        }
    }
    free(poisson.shares);
    return true;
}
