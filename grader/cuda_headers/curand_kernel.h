/* curand_kernel.h: random numbers in device code: uniform, normal, log-normal and Poisson
 * distributions over the generators of device_code/random_generators.h, with cuRAND's sequences;
 * of Poisson numbers with means of 64 to 4000 the distribution alone is cuRAND's. */
#ifndef GPUGRADE_CUDA_HEADERS_CURAND_KERNEL_H
#define GPUGRADE_CUDA_HEADERS_CURAND_KERNEL_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <device_code/random_generators.h>

/* Uniform: in (0, 1]. */
GPUGRADE_DEVICE float gpugrade_unit_float(unsigned bits)
{
    return bits * 0x1p-32f + 0x1p-33f;
}
GPUGRADE_DEVICE double gpugrade_unit_double(unsigned low, unsigned high)
{
    return ((unsigned long long)low ^ (unsigned long long)high << 21) * 0x1p-53 + 0x1p-54;
}
template <class State> GPUGRADE_DEVICE float curand_uniform(State *state)
{
    return gpugrade_unit_float(curand(state));
}
GPUGRADE_DEVICE float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(gpugrade_mrg_next(state) * 2.3283065498378288e-10);
}
GPUGRADE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    const uint4 bits = curand4(state);
    return make_float4(gpugrade_unit_float(bits.x), gpugrade_unit_float(bits.y),
                       gpugrade_unit_float(bits.z), gpugrade_unit_float(bits.w));
}
GPUGRADE_DEVICE double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned low = curand(state), high = curand(state);
    return gpugrade_unit_double(low, high);
}
GPUGRADE_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return curand(state) * 0x1p-32 + 0x1p-32;
}
GPUGRADE_DEVICE double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return gpugrade_mrg_next(state) * 2.3283065498378288e-10;
}
GPUGRADE_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 bits = curand4(state);
    return make_double2(gpugrade_unit_double(bits.x, bits.y), gpugrade_unit_double(bits.z, bits.w));
}
GPUGRADE_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}

/* Normal: two of two uniform numbers by the Box-Muller transform, the second kept for the next
 * call. */
enum { GPUGRADE_KEPT_NORMAL = 1, GPUGRADE_KEPT_LOG_NORMAL = 2 };

GPUGRADE_DEVICE float2 gpugrade_normal_pair(float unit, float angle)
{
    float2 pair;
    const float length = sqrtf(-2.0f * logf(unit));
    __sincosf(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
GPUGRADE_DEVICE double2 gpugrade_normal_pair_double(double unit, double half_turns)
{
    double2 pair;
    const double length = sqrt(-2.0 * log(unit));
    sincospi(half_turns, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
GPUGRADE_DEVICE float2 gpugrade_normal_pair_of(unsigned unit, unsigned angle)
{
    const float part = 2.3283064e-10f * 6.2831855f;
    return gpugrade_normal_pair(gpugrade_unit_float(unit), angle * part + part / 2);
}
template <class State> GPUGRADE_DEVICE float2 curand_normal2(State *state)
{
    const unsigned unit = curand(state), angle = curand(state);
    return gpugrade_normal_pair_of(unit, angle);
}
GPUGRADE_DEVICE float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    const float unit = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
    return gpugrade_normal_pair(unit, angle);
}
GPUGRADE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const float2 first = curand_normal2(state), second = curand_normal2(state);
    return make_float4(first.x, first.y, second.x, second.y);
}
template <class State> GPUGRADE_DEVICE double2 curand_normal2_double(State *state)
{
    const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    const unsigned long long half_turns = (unsigned long long)y0 ^ (unsigned long long)y1 << 21;
    return gpugrade_normal_pair_double(gpugrade_unit_double(x0, x1),
                                       half_turns * 0x1p-52 + 0x1p-53);
}
GPUGRADE_DEVICE double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    const double unit = curand_uniform_double(state);
    return gpugrade_normal_pair_double(unit, curand_uniform_double(state) * 2.0);
}
GPUGRADE_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
    return make_double4(first.x, first.y, second.x, second.y);
}

/* One of a pair, for float and double: LAST is what ends the names of that type. */
#define GPUGRADE_ONE_OF_A_PAIR(last, type, exponential)                                            \
    template <class State> GPUGRADE_DEVICE type curand_normal##last(State *state)                  \
    {                                                                                              \
        if (state->boxmuller_flag##last == GPUGRADE_KEPT_NORMAL) {                                 \
            state->boxmuller_flag##last = 0;                                                       \
            return state->boxmuller_extra##last;                                                   \
        }                                                                                          \
        const type##2 pair = curand_normal2##last(state);                                          \
        state->boxmuller_extra##last = pair.y;                                                     \
        state->boxmuller_flag##last = GPUGRADE_KEPT_NORMAL;                                        \
        return pair.x;                                                                             \
    }                                                                                              \
    template <class State>                                                                         \
    GPUGRADE_DEVICE type##2 curand_log_normal2##last(State *state, type mean, type deviation)      \
    {                                                                                              \
        const type##2 pair = curand_normal2##last(state);                                          \
        return make_##type##2(exponential(mean + deviation * pair.x),                              \
                              exponential(mean + deviation * pair.y));                             \
    }                                                                                              \
    template <class State>                                                                         \
    GPUGRADE_DEVICE type curand_log_normal##last(State *state, type mean, type deviation)          \
    {                                                                                              \
        if (state->boxmuller_flag##last == GPUGRADE_KEPT_LOG_NORMAL) {                             \
            state->boxmuller_flag##last = 0;                                                       \
            return state->boxmuller_extra##last;                                                   \
        }                                                                                          \
        const type##2 pair = curand_log_normal2##last(state, mean, deviation);                     \
        state->boxmuller_extra##last = pair.y;                                                     \
        state->boxmuller_flag##last = GPUGRADE_KEPT_LOG_NORMAL;                                    \
        return pair.x;                                                                             \
    }                                                                                              \
    GPUGRADE_DEVICE type##4 curand_log_normal4##last(curandStatePhilox4_32_10_t *state, type mean, \
                                                     type deviation)                               \
    {                                                                                              \
        const type##2 first = curand_log_normal2##last(state, mean, deviation);                    \
        const type##2 second = curand_log_normal2##last(state, mean, deviation);                   \
        return make_##type##4(first.x, first.y, second.x, second.y);                               \
    }
GPUGRADE_ONE_OF_A_PAIR(, float, expf)
GPUGRADE_ONE_OF_A_PAIR(_double, double, exp)
#undef GPUGRADE_ONE_OF_A_PAIR

/* Poisson: how many uniform numbers have a product of at least exp(-mean); the sum of several such
 * for what exp does not hold; nearly normal beyond. */
template <class State> GPUGRADE_DEVICE unsigned gpugrade_poisson_small(State *state, float mean)
{
    unsigned count = 0;
    float product = expf(mean);
    do {
        count++;
        product *= curand_uniform(state);
    } while (product > 1.0f);
    return count - 1;
}
template <class State> GPUGRADE_DEVICE unsigned curand_poisson(State *state, double mean)
{
    if (mean > 4000.0) {
        return (unsigned)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
    }
    const double most = 64.0;
    unsigned count = 0;
    for (; mean >= most; mean -= most / 2) {
        count += gpugrade_poisson_small(state, (float)(most / 2));
    }
    return count + gpugrade_poisson_small(state, (float)mean);
}
GPUGRADE_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean)
{
    const unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean);
    const unsigned z = curand_poisson(state, mean), w = curand_poisson(state, mean);
    return make_uint4(x, y, z, w);
}
#endif

#endif
