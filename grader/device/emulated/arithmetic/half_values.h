/* half_values.h: arithmetic of f16 and bf16, from exact formulas in wider numbers.
 *
 *   f16   s eeeee ffffffffff    bias 15
 *   bf16  s eeeeeeee fffffff    bias 127, the upper half of an f32
 *
 * Each result is rounded once, to nearest even:
 *   f16 sums and products are formed in f32, which has 2 * 11 + 2 bits: rounding twice gives what
 *   rounding once gives. bf16 sums too. bf16 products may fall below the normal f32 and are formed
 *   in f64, where they are exact.
 *   fma: the product is exact in f64; the sum is rounded to odd there (an inexact sum gets a last
 *   bit of 1), so that rounding it again cannot see a false tie.
 * NaN is canonical: 0x7fff in both. There are no branches, so loops over lanes become vector
 * instructions. Source: PTX ISA 9.0, "Half Precision Floating Point Instructions".
 */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_HALF_VALUES_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_HALF_VALUES_H

#include "device/emulated/arithmetic/lane_values.h"

/* What is done to one half, done to both halves of a packed word. */
#define BOTH_OF_1(f, x) (f((x)&0xffff) | f((x) >> 16) << 16)
#define BOTH_OF_2(f, x, y) (f((x)&0xffff, (y)&0xffff) | f((x) >> 16, (y) >> 16) << 16)
#define BOTH_OF_3(f, x, y, z)                                                                      \
    (f((x)&0xffff, (y)&0xffff, (z)&0xffff) | f((x) >> 16, (y) >> 16, (z) >> 16) << 16)

static inline f32 f32_of_f16(u32 half)
{
    const u32 magnitude = half & 0x7fff;
    const u32 rebias = UINT32_C(112) << 23;
    const u32 subnormal = bits_of_f32((f32)(s32)magnitude * 0x1p-24f);
    u32 bits = (magnitude << 13) + rebias;
    bits += magnitude >= 0x7c00 ? rebias : 0;
    bits = magnitude < 0x400 ? subnormal : bits;
    return f32_of_bits(bits | (half & 0x8000) << 16);
}

static inline f32 f32_of_bf16(u32 half)
{
    return f32_of_bits(half << 16);
}

static inline u32 f16_of_f32(f32 x)
{
    const u32 magnitude = bits_of_f32(x) & UINT32_C(0x7fffffff);
    const u32 exponent = magnitude >> 23;
    const u32 fraction = (magnitude & 0x7fffff) | 0x800000;
    u32 shift = exponent >= 113 ? 13 : 126 - exponent;
    shift = shift > 31 ? 31 : shift;
    u32 half = (fraction + (UINT32_C(1) << (shift - 1)) - 1 + (fraction >> shift & 1)) >> shift;
    half += exponent >= 113 ? (exponent - 113) << 10 : 0;
    half = half > 0x7c00 ? 0x7c00 : half;
    half |= bits_of_f32(x) >> 16 & 0x8000;
    return magnitude > UINT32_C(0x7f800000) ? 0x7fff : half;
}

static inline u32 bf16_of_f32(f32 x)
{
    const u32 bits = bits_of_f32(x);
    const u32 half = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000) ? 0x7fff : half;
}

/* Rounds to a 16-bit format with so many bits of fraction. A power of two is added to |x| that is
 * just large enough for the sum to keep only those bits, so the addition does the rounding. What
 * the sum has in excess of that power is the half, except for its exponent. */
static inline u32 half_of_f64(f64 x, s64 fraction_bits, s64 bias)
{
    const s64 magnitude = (s64)(bits_of_f64(x) & UINT64_C(0x7fffffffffffffff));
    const s64 infinity = (2 * bias + 1) << fraction_bits;
    const s64 lowest = 1024 - bias; /* exponent of the least normal number */
    const s64 exponent = magnitude >> 52 > lowest ? magnitude >> 52 : lowest;
    const u64 power = (u64)(exponent + 52 - fraction_bits) << 52;
    const f64 sum = f64_of_bits((u64)magnitude) + f64_of_bits(power);
    s64 half = (s64)(bits_of_f64(sum) - power) + ((exponent - lowest) << fraction_bits);
    half = half > infinity || exponent - lowest >= 2 * bias ? infinity : half;
    half = magnitude > INT64_C(0x7ff0000000000000) ? 0x7fff : half;
    const s64 sign = (s64)(bits_of_f64(x) >> 48 & 0x8000);
    return (u32)(half | (magnitude > INT64_C(0x7ff0000000000000) ? 0 : sign));
}

/* x * y + z with the last bit set where the sum is inexact; the product must fit in an f64. */
static inline f64 fma_to_odd(f64 x, f64 y, f64 z)
{
    const f64 product = x * y;
    const f64 sum = product + z;
    const f64 back = sum - product;
    const f64 error = (product - (sum - back)) + (z - back);
    const u64 bits = bits_of_f64(sum);
    /* an even sum moves by one, away from zero if the error has its sign */
    const u64 is_inexact = (error > 0.0 ? 1u : 0u) | (error < 0.0 ? 1u : 0u);
    const u64 moves = 0 - (is_inexact & ~bits & 1);
    const u64 step = 1 - ((bits ^ bits_of_f64(error)) >> 63 << 1);
    return f64_of_bits(bits + (step & moves));
}

/* A change of the sign makes NaN canonical, too, as an H200 does. */
static inline u32 neg_f16(u32 x)
{
    return (x & 0x7fff) > 0x7c00 ? 0x7fff : x ^ 0x8000;
}

static inline u32 abs_f16(u32 x)
{
    return (x & 0x7fff) > 0x7c00 ? 0x7fff : x & 0x7fff;
}

static inline u32 neg_bf16(u32 x)
{
    return (x & 0x7fff) > 0x7f80 ? 0x7fff : x ^ 0x8000;
}

static inline u32 abs_bf16(u32 x)
{
    return (x & 0x7fff) > 0x7f80 ? 0x7fff : x & 0x7fff;
}

static inline u32 add_f16(u32 x, u32 y)
{
    return f16_of_f32(f32_of_f16(x) + f32_of_f16(y));
}

static inline u32 sub_f16(u32 x, u32 y)
{
    return f16_of_f32(f32_of_f16(x) - f32_of_f16(y));
}

static inline u32 mul_f16(u32 x, u32 y)
{
    return f16_of_f32(f32_of_f16(x) * f32_of_f16(y));
}

static inline u32 fma_f16(u32 x, u32 y, u32 z)
{
    return half_of_f64(fma_to_odd(f32_of_f16(x), f32_of_f16(y), f32_of_f16(z)), 10, 15);
}

static inline u32 add_bf16(u32 x, u32 y)
{
    return bf16_of_f32(f32_of_bf16(x) + f32_of_bf16(y));
}

static inline u32 sub_bf16(u32 x, u32 y)
{
    return bf16_of_f32(f32_of_bf16(x) - f32_of_bf16(y));
}

static inline u32 mul_bf16(u32 x, u32 y)
{
    return half_of_f64((f64)f32_of_bf16(x) * (f64)f32_of_bf16(y), 7, 127);
}

static inline u32 fma_bf16(u32 x, u32 y, u32 z)
{
    return half_of_f64(fma_to_odd(f32_of_bf16(x), f32_of_bf16(y), f32_of_bf16(z)), 7, 127);
}

static inline u32 min_f16(u32 x, u32 y)
{
    return f16_of_f32(min_f32(f32_of_f16(x), f32_of_f16(y)));
}

static inline u32 max_f16(u32 x, u32 y)
{
    return f16_of_f32(max_f32(f32_of_f16(x), f32_of_f16(y)));
}

static inline u32 min_bf16(u32 x, u32 y)
{
    return bf16_of_f32(min_f32(f32_of_bf16(x), f32_of_bf16(y)));
}

static inline u32 max_bf16(u32 x, u32 y)
{
    return bf16_of_f32(max_f32(f32_of_bf16(x), f32_of_bf16(y)));
}

/* .ftz, .sat and .relu. */
static inline u32 flush_f16(u32 x)
{
    return (x & 0x7c00) == 0 ? x & 0x8000 : x;
}

static inline u32 saturate_f16(u32 x)
{
    return f16_of_f32(saturate_f32(f32_of_f16(x)));
}

static inline u32 relu_f16(u32 x)
{
    const u32 positive = (x & 0x8000) != 0 ? 0 : x;
    return (x & 0x7fff) > 0x7c00 ? 0x7fff : positive;
}

static inline u32 relu_bf16(u32 x)
{
    const u32 positive = (x & 0x8000) != 0 ? 0 : x;
    return (x & 0x7fff) > 0x7f80 ? 0x7fff : positive;
}

#endif
