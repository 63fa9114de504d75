/* cuda_fp16.h: half and half2: conversions, arithmetic, comparisons, some functions. Devices add
 * and multiply in half, hosts in float, which rounds to the same. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_FP16_H
#define GPUGRADE_CUDA_HEADERS_CUDA_FP16_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <device_code/half_type.h>

/* Pairs: x is the low half. */
GPUGRADE_HOST_DEVICE __half2 __halves2half2(__half low, __half high)
{
    return __half2(low, high);
}
GPUGRADE_HOST_DEVICE __half2 make_half2(__half x, __half y)
{
    return __half2(x, y);
}
GPUGRADE_HOST_DEVICE __half2 __half2half2(__half both)
{
    return __half2(both, both);
}
GPUGRADE_HOST_DEVICE __half2 __float2half2_rn(float both)
{
    return __half2half2(__float2half(both));
}
GPUGRADE_HOST_DEVICE __half2 __floats2half2_rn(float low, float high)
{
    return __half2(__float2half(low), __float2half(high));
}
GPUGRADE_HOST_DEVICE __half2 __float22half2_rn(float2 pair)
{
    return __floats2half2_rn(pair.x, pair.y);
}
GPUGRADE_HOST_DEVICE float2 __half22float2(__half2 pair)
{
    return make_float2(__half2float(pair.x), __half2float(pair.y));
}
GPUGRADE_HOST_DEVICE float __low2float(__half2 pair)
{
    return __half2float(pair.x);
}
GPUGRADE_HOST_DEVICE float __high2float(__half2 pair)
{
    return __half2float(pair.y);
}
GPUGRADE_HOST_DEVICE __half __low2half(__half2 pair)
{
    return pair.x;
}
GPUGRADE_HOST_DEVICE __half __high2half(__half2 pair)
{
    return pair.y;
}
GPUGRADE_HOST_DEVICE __half2 __low2half2(__half2 pair)
{
    return __half2(pair.x, pair.x);
}
GPUGRADE_HOST_DEVICE __half2 __high2half2(__half2 pair)
{
    return __half2(pair.y, pair.y);
}
GPUGRADE_HOST_DEVICE __half2 __lowhigh2highlow(__half2 pair)
{
    return __half2(pair.y, pair.x);
}
GPUGRADE_HOST_DEVICE __half2 __lows2half2(__half2 low, __half2 high)
{
    return __half2(low.x, high.x);
}
GPUGRADE_HOST_DEVICE __half2 __highs2half2(__half2 low, __half2 high)
{
    return __half2(low.y, high.y);
}

/* Arithmetic. ARITHMETIC(name, instruction, the same in float) declares it for half and half2, and
 * with results held between 0 and 1 (_sat). */
GPUGRADE_HOST_DEVICE __half gpugrade_saturated(__half half)
{
    const float value = __half2float(half);
    return value > 0.0f ? value < 1.0f ? half : __half(__half_raw{0x3c00}) : __half(__half_raw{0});
}
#ifdef __CUDA_ARCH__
#define GPUGRADE_BINARY(instruction, value)                                                        \
    unsigned short bits;                                                                           \
    asm(instruction ".f16 %0, %1, %2;"                                                             \
        : "=h"(bits)                                                                               \
        : "h"(x.gpugrade_bits()), "h"(y.gpugrade_bits()));                                         \
    return __half(__half_raw{bits});
#define GPUGRADE_BINARY_2(instruction, name)                                                       \
    unsigned bits;                                                                                 \
    asm(instruction ".f16x2 %0, %1, %2;"                                                           \
        : "=r"(bits)                                                                               \
        : "r"(__builtin_bit_cast(unsigned, x)), "r"(__builtin_bit_cast(unsigned, y)));             \
    return __builtin_bit_cast(__half2, bits);
#else
#define GPUGRADE_BINARY(instruction, value) return __float2half(value);
#define GPUGRADE_BINARY_2(instruction, name) return __half2(name(x.x, y.x), name(x.y, y.y));
#endif
#define GPUGRADE_ARITHMETIC(name, instruction, operation)                                          \
    GPUGRADE_HOST_DEVICE __half name(__half x, __half y){GPUGRADE_BINARY(                          \
        instruction, __half2float(x) operation __half2float(y))} GPUGRADE_HOST_DEVICE __half       \
        name##_rn(__half x, __half y){GPUGRADE_BINARY(                                             \
            instruction ".rn", __half2float(x) operation __half2float(                             \
                                   y))} GPUGRADE_HOST_DEVICE __half name##_sat(__half x, __half y) \
    {                                                                                              \
        return gpugrade_saturated(name(x, y));                                                     \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE __half2 name##2(__half2 x, __half2 y){GPUGRADE_BINARY_2(                  \
        instruction, name)} GPUGRADE_HOST_DEVICE __half2 name##2_rn(__half2 x, __half2 y){         \
        GPUGRADE_BINARY_2(instruction ".rn",                                                       \
                          name)} GPUGRADE_HOST_DEVICE __half2 name##2_sat(__half2 x, __half2 y)    \
    {                                                                                              \
        return __half2(name##_sat(x.x, y.x), name##_sat(x.y, y.y));                                \
    }
GPUGRADE_ARITHMETIC(__hadd, "add", +)
GPUGRADE_ARITHMETIC(__hsub, "sub", -)
GPUGRADE_ARITHMETIC(__hmul, "mul", *)
#undef GPUGRADE_ARITHMETIC
#undef GPUGRADE_BINARY
#undef GPUGRADE_BINARY_2

GPUGRADE_HOST_DEVICE __half __hfma(__half x, __half y, __half z)
{
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("fma.rn.f16 %0, %1, %2, %3;"
        : "=h"(bits)
        : "h"(x.gpugrade_bits()), "h"(y.gpugrade_bits()), "h"(z.gpugrade_bits()));
    return __half(__half_raw{bits});
#else
    return __double2half((double)__half2float(x) * __half2float(y) + __half2float(z));
#endif
}
GPUGRADE_HOST_DEVICE __half __hfma_sat(__half x, __half y, __half z)
{
    return gpugrade_saturated(__hfma(x, y, z));
}
GPUGRADE_HOST_DEVICE __half2 __hfma2(__half2 x, __half2 y, __half2 z)
{
#ifdef __CUDA_ARCH__
    unsigned bits;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(bits)
        : "r"(__builtin_bit_cast(unsigned, x)), "r"(__builtin_bit_cast(unsigned, y)),
          "r"(__builtin_bit_cast(unsigned, z)));
    return __builtin_bit_cast(__half2, bits);
#else
    return __half2(__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y));
#endif
}
GPUGRADE_HOST_DEVICE __half2 __hfma2_sat(__half2 x, __half2 y, __half2 z)
{
    return __half2(__hfma_sat(x.x, y.x, z.x), __hfma_sat(x.y, y.y, z.y));
}
GPUGRADE_HOST_DEVICE __half __hdiv(__half x, __half y)
{
    return __float2half(__half2float(x) / __half2float(y));
}
GPUGRADE_HOST_DEVICE __half2 __h2div(__half2 x, __half2 y)
{
    return __half2(__hdiv(x.x, y.x), __hdiv(x.y, y.y));
}
GPUGRADE_HOST_DEVICE __half __hneg(__half x)
{
    return __half_raw{(unsigned short)(x.gpugrade_bits() ^ 0x8000)};
}
GPUGRADE_HOST_DEVICE __half2 __hneg2(__half2 x)
{
    return __half2(__hneg(x.x), __hneg(x.y));
}
GPUGRADE_HOST_DEVICE __half __habs(__half x)
{
    return __half_raw{(unsigned short)(x.gpugrade_bits() & 0x7fff)};
}
GPUGRADE_HOST_DEVICE __half2 __habs2(__half2 x)
{
    return __half2(__habs(x.x), __habs(x.y));
}

/* Comparisons: false if an operand is not a number, or (u) true. For pairs: 1 or 0 for each (2),
 * all bits of each (2_mask), or whether both compare so (b...2). */
GPUGRADE_HOST_DEVICE bool __hisnan(__half x)
{
    return (x.gpugrade_bits() & 0x7fff) > 0x7c00;
}
GPUGRADE_HOST_DEVICE int __hisinf(__half x)
{
    return x.gpugrade_bits() == 0xfc00 ? -1 : x.gpugrade_bits() == 0x7c00;
}
GPUGRADE_HOST_DEVICE __half gpugrade_half_of(bool truth)
{
    return __half_raw{(unsigned short)(truth ? 0x3c00 : 0)};
}
GPUGRADE_HOST_DEVICE __half2 __hisnan2(__half2 x)
{
    return __half2(gpugrade_half_of(__hisnan(x.x)), gpugrade_half_of(__hisnan(x.y)));
}
#define GPUGRADE_COMPARISON_PAIRS(one, both, pair, mask)                                           \
    GPUGRADE_HOST_DEVICE __half2 pair(__half2 x, __half2 y)                                        \
    {                                                                                              \
        return __half2(gpugrade_half_of(one(x.x, y.x)), gpugrade_half_of(one(x.y, y.y)));          \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE unsigned mask(__half2 x, __half2 y)                                       \
    {                                                                                              \
        return (one(x.x, y.x) ? 0xffffu : 0) | (one(x.y, y.y) ? 0xffff0000u : 0);                  \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE bool both(__half2 x, __half2 y)                                           \
    {                                                                                              \
        return one(x.x, y.x) && one(x.y, y.y);                                                     \
    }
#define GPUGRADE_COMPARISON(name, operation)                                                       \
    GPUGRADE_HOST_DEVICE bool __h##name(__half x, __half y)                                        \
    {                                                                                              \
        return !__hisnan(x) && !__hisnan(y) && __half2float(x) operation __half2float(y);          \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE bool __h##name##u(__half x, __half y)                                     \
    {                                                                                              \
        return __hisnan(x) || __hisnan(y) || __half2float(x) operation __half2float(y);            \
    }                                                                                              \
    GPUGRADE_COMPARISON_PAIRS(__h##name, __hb##name##2, __h##name##2, __h##name##2_mask)           \
    GPUGRADE_COMPARISON_PAIRS(__h##name##u, __hb##name##u2, __h##name##u2, __h##name##u2_mask)
GPUGRADE_COMPARISON(eq, ==)
GPUGRADE_COMPARISON(ne, !=)
GPUGRADE_COMPARISON(lt, <)
GPUGRADE_COMPARISON(le, <=)
GPUGRADE_COMPARISON(gt, >)
GPUGRADE_COMPARISON(ge, >=)
#undef GPUGRADE_COMPARISON
#undef GPUGRADE_COMPARISON_PAIRS

/* The operand that is a number, or (_nan) none; +0 is larger than -0. */
#define GPUGRADE_EXTREME(name, function)                                                           \
    GPUGRADE_HOST_DEVICE __half __h##name(__half x, __half y)                                      \
    {                                                                                              \
        return __float2half(function(__half2float(x), __half2float(y)));                           \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE __half __h##name##_nan(__half x, __half y)                                \
    {                                                                                              \
        return __hisnan(x) || __hisnan(y) ? __half(__half_raw{0x7fff}) : __h##name(x, y);          \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE __half2 __h##name##2(__half2 x, __half2 y)                                \
    {                                                                                              \
        return __half2(__h##name(x.x, y.x), __h##name(x.y, y.y));                                  \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE __half2 __h##name##2_nan(__half2 x, __half2 y)                            \
    {                                                                                              \
        return __half2(__h##name##_nan(x.x, y.x), __h##name##_nan(x.y, y.y));                      \
    }
GPUGRADE_EXTREME(max, fmaxf)
GPUGRADE_EXTREME(min, fminf)
#undef GPUGRADE_EXTREME

/* Functions of device code, in float and rounded. */
#define GPUGRADE_FUNCTION(name, value)                                                             \
    GPUGRADE_DEVICE __half h##name(__half half)                                                    \
    {                                                                                              \
        const float x = __half2float(half);                                                        \
        return __float2half(value);                                                                \
    }                                                                                              \
    GPUGRADE_DEVICE __half2 h2##name(__half2 pair)                                                 \
    {                                                                                              \
        return __half2(h##name(pair.x), h##name(pair.y));                                          \
    }
GPUGRADE_FUNCTION(sqrt, sqrtf(x))
GPUGRADE_FUNCTION(rsqrt, rsqrtf(x))
GPUGRADE_FUNCTION(rcp, 1.0f / x)
GPUGRADE_FUNCTION(exp, expf(x))
GPUGRADE_FUNCTION(exp2, exp2f(x))
GPUGRADE_FUNCTION(exp10, exp10f(x))
GPUGRADE_FUNCTION(log, logf(x))
GPUGRADE_FUNCTION(log2, log2f(x))
GPUGRADE_FUNCTION(log10, log10f(x))
GPUGRADE_FUNCTION(sin, sinf(x))
GPUGRADE_FUNCTION(cos, cosf(x))
GPUGRADE_FUNCTION(tanh, tanhf(x))
GPUGRADE_FUNCTION(floor, floorf(x))
GPUGRADE_FUNCTION(ceil, ceilf(x))
GPUGRADE_FUNCTION(trunc, truncf(x))
GPUGRADE_FUNCTION(rint, rintf(x))
#undef GPUGRADE_FUNCTION

/* Operators of half and of half2, whose comparisons ask both. */
#define GPUGRADE_OPERATORS(type, add, subtract, multiply, divide, negate, one)                     \
    GPUGRADE_HOST_DEVICE type operator+(const type &x, const type &y)                              \
    {                                                                                              \
        return add(x, y);                                                                          \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator-(const type &x, const type &y)                              \
    {                                                                                              \
        return subtract(x, y);                                                                     \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator*(const type &x, const type &y)                              \
    {                                                                                              \
        return multiply(x, y);                                                                     \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator/(const type &x, const type &y)                              \
    {                                                                                              \
        return divide(x, y);                                                                       \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator+=(type &x, const type &y)                                  \
    {                                                                                              \
        return x = add(x, y);                                                                      \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator-=(type &x, const type &y)                                  \
    {                                                                                              \
        return x = subtract(x, y);                                                                 \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator*=(type &x, const type &y)                                  \
    {                                                                                              \
        return x = multiply(x, y);                                                                 \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator/=(type &x, const type &y)                                  \
    {                                                                                              \
        return x = divide(x, y);                                                                   \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator++(type &x)                                                 \
    {                                                                                              \
        return x = add(x, one);                                                                    \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type &operator--(type &x)                                                 \
    {                                                                                              \
        return x = subtract(x, one);                                                               \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator++(type &x, int)                                             \
    {                                                                                              \
        const type before = x;                                                                     \
        x = add(x, one);                                                                           \
        return before;                                                                             \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator--(type &x, int)                                             \
    {                                                                                              \
        const type before = x;                                                                     \
        x = subtract(x, one);                                                                      \
        return before;                                                                             \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator+(const type &x)                                             \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE type operator-(const type &x)                                             \
    {                                                                                              \
        return negate(x);                                                                          \
    }
#define GPUGRADE_COMPARISON(type, operation, function)                                             \
    GPUGRADE_HOST_DEVICE bool operator operation(const type &x, const type &y)                     \
    {                                                                                              \
        return function(x, y);                                                                     \
    }
GPUGRADE_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv, __hneg, gpugrade_half_of(true))
GPUGRADE_COMPARISON(__half, ==, __heq)
GPUGRADE_COMPARISON(__half, !=, __hneu)
GPUGRADE_COMPARISON(__half, <, __hlt)
GPUGRADE_COMPARISON(__half, <=, __hle)
GPUGRADE_COMPARISON(__half, >, __hgt)
GPUGRADE_COMPARISON(__half, >=, __hge)
GPUGRADE_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2,
                   __half2half2(gpugrade_half_of(true)))
GPUGRADE_COMPARISON(__half2, ==, __hbeq2)
GPUGRADE_COMPARISON(__half2, !=, __hbneu2)
GPUGRADE_COMPARISON(__half2, <, __hblt2)
GPUGRADE_COMPARISON(__half2, <=, __hble2)
GPUGRADE_COMPARISON(__half2, >, __hbgt2)
GPUGRADE_COMPARISON(__half2, >=, __hbge2)
#undef GPUGRADE_OPERATORS
#undef GPUGRADE_COMPARISON

/* Shuffles, loads, atomic additions: of the same bits. */
#define GPUGRADE_SHUFFLE(name, from)                                                               \
    GPUGRADE_DEVICE __half2 name(unsigned mask, __half2 value, from source, int width = 32)        \
    {                                                                                              \
        return __builtin_bit_cast(__half2,                                                         \
                                  name(mask, __builtin_bit_cast(unsigned, value), source, width)); \
    }                                                                                              \
    GPUGRADE_DEVICE __half name(unsigned mask, __half value, from source, int width = 32)          \
    {                                                                                              \
        return __half_raw{                                                                         \
            (unsigned short)name(mask, (unsigned)value.gpugrade_bits(), source, width)};           \
    }
GPUGRADE_SHUFFLE(__shfl_sync, int)
GPUGRADE_SHUFFLE(__shfl_up_sync, unsigned)
GPUGRADE_SHUFFLE(__shfl_down_sync, unsigned)
GPUGRADE_SHUFFLE(__shfl_xor_sync, int)
#undef GPUGRADE_SHUFFLE
GPUGRADE_DEVICE __half __ldg(const __half *pointer)
{
    return __half_raw{__ldg((const unsigned short *)pointer)};
}
GPUGRADE_DEVICE __half2 __ldg(const __half2 *pointer)
{
    return __builtin_bit_cast(__half2, __ldg((const unsigned *)pointer));
}
GPUGRADE_DEVICE __half atomicAdd(__half *address, __half value)
{
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before)
                 : "l"(address), "h"(value.gpugrade_bits())
                 : "memory");
    return __half_raw{before};
}
GPUGRADE_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(address), "r"(__builtin_bit_cast(unsigned, value))
                 : "memory");
    return __builtin_bit_cast(__half2, before);
}
#endif

#endif
