/* approximate.h: the approximate functions of PTX.
 *
 * Our own formulas in f64 that only use + - * / and square roots, so their bits depend neither on
 * the processor nor on the C library. They stay within the errors that the PTX manual allows (2
 * units in the last place or less; sin and cos 2^-20.5 absolute in [-pi, pi]). There are no
 * branches, so loops over lanes become vector instructions.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_APPROXIMATE_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_APPROXIMATE_H

#include "device/emulated/arithmetic/half_values.h"

/* Added to a number below 2^51, it leaves the nearest integer (ties to even) in the last bits. */
#define INTEGER_SHIFT 0x1.8p52

static inline f32 magnitude_f32(f32 x)
{
    return f32_of_bits(bits_of_f32(x) & UINT32_C(0x7fffffff));
}

/* 2^x for -1000 < x < 1000: a power of two, and the Taylor series of exp on [-ln2/2, ln2/2], whose
 * 10 terms leave less than 2^-36. */
static inline f64 ex2_f64(f64 x)
{
    const f64 shifted = x + INTEGER_SHIFT;
    const f64 power = f64_of_bits((bits_of_f64(shifted) << 52) + (UINT64_C(1023) << 52));
    const f64 r = (x - (shifted - INTEGER_SHIFT)) * 0x1.62e42fefa39efp-1;
    f64 sum = 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 1.0 / 2;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    return power * sum;
}

static inline f32 approximate_ex2(f32 x)
{
    f32 result = (f32)ex2_f64(x);
    result = x > 128.0f ? f32_of_bits(UINT32_C(0x7f800000)) : result;
    result = x < -160.0f ? 0.0f : result;
    return canonical_f32(x != x ? x : result);
}

/* log2 m = 2 artanh((m - 1) / (m + 1)) / ln 2 for m in [sqrt 1/2, sqrt 2]. */
static inline f32 approximate_lg2(f32 x)
{
    const u64 bits = bits_of_f64(x);
    const u64 fraction = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000);
    const f64 biased = f64_of_bits(bits >> 52 | UINT64_C(0x4330000000000000)) - 0x1p52;
    const f64 whole = f64_of_bits(fraction);
    const f64 m = whole > 0x1.6a09e667f3bcdp0 ? whole * 0.5 : whole;
    const f64 exponent = biased - (whole > 0x1.6a09e667f3bcdp0 ? 1022.0 : 1023.0);
    const f64 t = (m - 1.0) / (m + 1.0);
    const f64 square = t * t;
    f64 sum = 1.0 / 15;
    sum = sum * square + 1.0 / 13;
    sum = sum * square + 1.0 / 11;
    sum = sum * square + 1.0 / 9;
    sum = sum * square + 1.0 / 7;
    sum = sum * square + 1.0 / 5;
    sum = sum * square + 1.0 / 3;
    sum = sum * square + 1.0;
    f32 result = (f32)(exponent + t * sum * 0x1.71547652b82fep1);
    result = x == 0.0f ? f32_of_bits(UINT32_C(0xff800000)) : result;
    result = bits_of_f32(x) == UINT32_C(0x7f800000) ? x : result;
    return f32_of_bits(x < 0.0f || x != x ? UINT32_C(0x7fffffff) : bits_of_f32(result));
}

/* sin(x + quadrant pi/2). The argument is reduced by pi/2 in two parts, which is exact enough for
 * |x| < 2^20; beyond 2^31, where the manual promises nothing, x counts as 0. */
static inline f32 sine(f32 x, u64 quadrant)
{
    const f64 angle = magnitude_f32(x) < 0x1p31f ? (f64)x : 0.0;
    const f64 shifted = angle * 0x1.45f306dc9c883p-1 + INTEGER_SHIFT;
    const f64 quarters = shifted - INTEGER_SHIFT;
    const f64 r = angle - quarters * 0x1.921fb54442d18p0 - quarters * 0x1.1a62633145c07p-54;
    const u64 turn = bits_of_f64(shifted) + quadrant;
    const f64 square = r * r;
    f64 odd = 1.0 / 6227020800;
    odd = odd * square - 1.0 / 39916800;
    odd = odd * square + 1.0 / 362880;
    odd = odd * square - 1.0 / 5040;
    odd = odd * square + 1.0 / 120;
    odd = odd * square - 1.0 / 6;
    odd = r + r * square * odd;
    f64 even = 1.0 / 479001600;
    even = even * square - 1.0 / 3628800;
    even = even * square + 1.0 / 40320;
    even = even * square - 1.0 / 720;
    even = even * square + 1.0 / 24;
    even = even * square - 1.0 / 2;
    even = even * square + 1.0;
    const f64 value = (turn & 1) != 0 ? even : odd;
    const f32 result = (f32)f64_of_bits(bits_of_f64(value) ^ (turn & 2) << 62);
    const u32 bits = bits_of_f32(x) & UINT32_C(0x7fffffff);
    return f32_of_bits(bits >= UINT32_C(0x7f800000) ? UINT32_C(0x7fffffff) : bits_of_f32(result));
}

static inline f32 approximate_sin(f32 x)
{
    return x == 0.0f ? x : sine(x, 0);
}

static inline f32 approximate_cos(f32 x)
{
    return sine(x, 1);
}

static inline f32 approximate_tanh(f32 x)
{
    const f64 power = ex2_f64(0x1.71547652b82fep1 * (f64)x);
    f32 result = (f32)((power - 1.0) / (power + 1.0));
    result = x > 20.0f ? 1.0f : result;
    result = x < -20.0f ? -1.0f : result;
    return canonical_f32(magnitude_f32(x) < 0x1p-12f || x != x ? x : result);
}

static inline f32 approximate_rsqrt(f32 x)
{
    return canonical_f32((f32)(1.0 / __builtin_sqrt((f64)x)));
}

/* The manual: for 2^126 < |y| < 2^128 the result is 0, or NaN if x is infinite. */
static inline f32 approximate_div(f32 x, f32 y)
{
    const u32 sign = (bits_of_f32(x) ^ bits_of_f32(y)) & UINT32_C(0x80000000);
    const u32 x_bits = bits_of_f32(x) & UINT32_C(0x7fffffff);
    const u32 y_bits = bits_of_f32(y) & UINT32_C(0x7fffffff);
    const u32 quotient = bits_of_f32(canonical_f32(x / y));
    const u32 large = x_bits < UINT32_C(0x7f800000) ? sign : UINT32_C(0x7fffffff);
    const int is_large = y_bits > UINT32_C(0x7e800000) && y_bits < UINT32_C(0x7f800000);
    return f32_of_bits(is_large ? large : quotient);
}

/* rcp.approx.ftz.f64 reads and gives the upper 32 bits only. */
static inline f64 approximate_rcp_f64(f64 x)
{
    const f64 upper = f64_of_bits(bits_of_f64(x) & UINT64_C(0xffffffff00000000));
    return f64_of_bits(bits_of_f64(canonical_f64(1.0 / upper)) & UINT64_C(0xffffffff00000000));
}

static inline f64 approximate_rsqrt_f64(f64 x)
{
    return canonical_f64(1.0 / __builtin_sqrt(x));
}

static inline u32 approximate_ex2_f16(u32 x)
{
    return f16_of_f32(approximate_ex2(f32_of_f16(x)));
}

/* .ftz always. */
static inline u32 approximate_ex2_bf16(u32 x)
{
    return bf16_of_f32(flush_f32(approximate_ex2(flush_f32(f32_of_bf16(x)))));
}

static inline u32 approximate_tanh_f16(u32 x)
{
    return f16_of_f32(approximate_tanh(f32_of_f16(x)));
}

static inline u32 approximate_tanh_bf16(u32 x)
{
    return bf16_of_f32(approximate_tanh(f32_of_bf16(x)));
}

#endif
