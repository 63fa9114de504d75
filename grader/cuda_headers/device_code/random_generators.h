/* random_generators.h: the generators XORWOW (curandState), Philox4x32-10 and MRG32k3a: their
 * states, curand_init, skipahead and curand, with cuRAND's sequences.
 *   XORWOW    Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (2003)
 *   Philox    Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011
 *   MRG32k3a  L'Ecuyer, Good parameters and implementations for combined multiple recursive random
 *             number generators, Operations Research 47 (1999) */
#ifndef GPUGRADE_CUDA_HEADERS_RANDOM_GENERATORS_H
#define GPUGRADE_CUDA_HEADERS_RANDOM_GENERATORS_H

#include <device_code/xorwow_powers.h>

/* What all states end with: the second number of a normal pair, if there is one. */
#define GPUGRADE_NORMAL_FIELDS                                                                     \
    int boxmuller_flag, boxmuller_flag_double;                                                     \
    float boxmuller_extra;                                                                         \
    double boxmuller_extra_double;

/* XORWOW: d counts, v is shifted. */
struct curandStateXORWOW {
    unsigned d, v[5];
    GPUGRADE_NORMAL_FIELDS
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

GPUGRADE_DEVICE void gpugrade_xorwow_step(unsigned *v)
{
    const unsigned t = v[0] ^ (v[0] >> 2);
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

/* Steps n times, or (far) n times 2^67 steps: for each bit of n the sum of the states that the
 * polynomial of that many steps names. */
static __inline__ __device__ __attribute__((noinline, nodebug, unused)) void
gpugrade_xorwow_skip(unsigned long long n, unsigned *v, int far)
{
    for (int bit = 0; n != 0; bit++, n >>= 1) {
        if ((n & 1) == 0) {
            continue;
        }
        unsigned sum[5] = {0, 0, 0, 0, 0};
        for (int i = 0; i < 160; i++) {
            if (gpugrade_xorwow_powers[far][bit][i / 32] >> i % 32 & 1) {
                for (int word = 0; word < 5; word++) {
                    sum[word] ^= v[word];
                }
            }
            gpugrade_xorwow_step(v);
        }
        for (int word = 0; word < 5; word++) {
            v[word] = sum[word];
        }
    }
}
GPUGRADE_DEVICE unsigned curand(curandStateXORWOW_t *state)
{
    gpugrade_xorwow_step(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}
GPUGRADE_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    gpugrade_xorwow_skip(n, state->v, 0);
    state->d += 362437 * (unsigned)n;
}
GPUGRADE_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    gpugrade_xorwow_skip(n, state->v, 1);
}
GPUGRADE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW_t *state)
{
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

/* Philox: output is the counter ctr, mixed with the key; STATE of its words are used. */
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    GPUGRADE_NORMAL_FIELDS
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

GPUGRADE_DEVICE uint4 curand_Philox4x32_10(uint4 counter, uint2 key)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = 0xd2511f53ull * counter.x, z = 0xcd9e8d57ull * counter.z;
        counter = make_uint4((unsigned)(z >> 32) ^ counter.y ^ key.x, (unsigned)z,
                             (unsigned)(x >> 32) ^ counter.w ^ key.y, (unsigned)x);
        key.x += 0x9e3779b9, key.y += 0xbb67ae85;
    }
    return counter;
}
/* Adds n to the lower and `far` to the upper half of the counter of 128 bits. */
GPUGRADE_DEVICE void gpugrade_philox_add(curandStatePhilox4_32_10_t *state, unsigned long long n,
                                         unsigned long long far)
{
    uint4 *const counter = &state->ctr;
    const unsigned long long low = ((unsigned long long)counter->y << 32 | counter->x) + n;
    const unsigned long long high =
        ((unsigned long long)counter->w << 32 | counter->z) + far + (low < n);
    *counter =
        make_uint4((unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32));
    state->output = curand_Philox4x32_10(*counter, state->key);
}
GPUGRADE_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    const unsigned used = state->STATE + (unsigned)(n & 3);
    state->STATE = used & 3;
    gpugrade_philox_add(state, n / 4 + used / 4, 0);
}
GPUGRADE_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    gpugrade_philox_add(state, 0, n);
}
GPUGRADE_DEVICE unsigned curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 four = state->output;
    const unsigned used = state->STATE;
    const unsigned next = used == 0 ? four.x : used == 1 ? four.y : used == 2 ? four.z : four.w;
    state->STATE = (used + 1) & 3;
    if (used == 3) {
        gpugrade_philox_add(state, 1, 0);
    }
    return next;
}
GPUGRADE_DEVICE uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 now = state->output;
    gpugrade_philox_add(state, 1, 0);
    const uint4 then = state->output;
    switch (state->STATE) {
    case 1:
        return make_uint4(now.y, now.z, now.w, then.x);
    case 2:
        return make_uint4(now.z, now.w, then.x, then.y);
    case 3:
        return make_uint4(now.w, then.x, then.y, then.z);
    default:
        return now;
    }
}
GPUGRADE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/* MRG32k3a: the last three numbers of two recurrences, each modulo a prime. */
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    GPUGRADE_NORMAL_FIELDS
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
#undef GPUGRADE_NORMAL_FIELDS

enum { GPUGRADE_MRG_1 = 4294967087u, GPUGRADE_MRG_2 = 4294944443u };

/* A number from 1 to the first prime. */
GPUGRADE_DEVICE unsigned gpugrade_mrg_next(curandStateMRG32k3a_t *state)
{
    unsigned *const a = state->s1, *const b = state->s2;
    const unsigned x =
        (unsigned)((1403580ull * a[1] + 810728ull * (GPUGRADE_MRG_1 - a[0])) % GPUGRADE_MRG_1);
    const unsigned y =
        (unsigned)((527612ull * b[2] + 1370589ull * (GPUGRADE_MRG_2 - b[0])) % GPUGRADE_MRG_2);
    a[0] = a[1], a[1] = a[2], a[2] = x;
    b[0] = b[1], b[1] = b[2], b[2] = y;
    return x <= y ? x - y + GPUGRADE_MRG_1 : x - y;
}
/* Multiplies the state by the n-th power of a matrix, which is spoilt. */
static __inline__ __device__ __attribute__((noinline, nodebug, unused)) void
gpugrade_mrg_skip(unsigned long long n, unsigned (*matrix)[3], unsigned *state, unsigned prime)
{
    for (; n != 0; n >>= 1) {
        unsigned product[4][3];
        for (int row = 0; row < 3; row++) {
            unsigned long long moved = 0;
            for (int column = 0; column < 3; column++) {
                unsigned long long sum = 0;
                for (int i = 0; i < 3; i++) {
                    sum = (sum + (unsigned long long)matrix[row][i] * matrix[i][column] % prime) %
                          prime;
                }
                product[row][column] = (unsigned)sum;
                moved += (unsigned long long)matrix[row][column] * state[column] % prime;
            }
            product[3][row] = (unsigned)(moved % prime);
        }
        for (int row = 0; row < 3; row++) {
            state[row] = (n & 1) != 0 ? product[3][row] : state[row];
            for (int column = 0; column < 3; column++) {
                matrix[row][column] = product[row][column];
            }
        }
    }
}
GPUGRADE_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    unsigned first[3][3] = {{0, 1, 0}, {0, 0, 1}, {GPUGRADE_MRG_1 - 810728, 1403580, 0}};
    unsigned second[3][3] = {{0, 1, 0}, {0, 0, 1}, {GPUGRADE_MRG_2 - 1370589, 0, 527612}};
    gpugrade_mrg_skip(n, first, state->s1, GPUGRADE_MRG_1);
    gpugrade_mrg_skip(n, second, state->s2, GPUGRADE_MRG_2);
}
/* The matrices of 2^76 steps, the length of a subsequence. */
GPUGRADE_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    unsigned first[3][3] = {{82758667, 1871391091, 4127413238},
                            {3672831523, 69195019, 1871391091},
                            {3672091415, 3528743235, 69195019}};
    unsigned second[3][3] = {{1511326704, 3759209742, 1610795712},
                             {4292754251, 1511326704, 3889917532},
                             {3859662829, 4292754251, 3708466080}};
    gpugrade_mrg_skip(n, first, state->s1, GPUGRADE_MRG_1);
    gpugrade_mrg_skip(n, second, state->s2, GPUGRADE_MRG_2);
}
GPUGRADE_DEVICE unsigned curand(curandStateMRG32k3a_t *state)
{
    return (unsigned)(gpugrade_mrg_next(state) * 1.000000048662);
}
GPUGRADE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a_t *state)
{
    const unsigned long long low = (unsigned)seed ^ 0x55555555u;
    const unsigned long long high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        state->s1[i] = state->s2[i] = 12345;
        if (seed != 0) {
            state->s1[i] = (unsigned)((i == 1 ? high : low) * 12345 % GPUGRADE_MRG_1);
            state->s2[i] = (unsigned)((i == 1 ? low : high) * 12345 % GPUGRADE_MRG_2);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

#endif
