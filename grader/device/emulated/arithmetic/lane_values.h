/* lane_values.h: the scalar types of lanes and the arithmetic that PTX defines differently from C.
 *
 * NaN results are canonical (f32 0x7fffffff, as NVIDIA hardware gives; f64 0xfff8000000000000), so
 * the bits do not depend on the host processor. Division by zero, which PTX leaves open, gives what
 * the hardware gives: a quotient of all ones, a remainder equal to the dividend.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_LANE_VALUES_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_LANE_VALUES_H

#include <stdint.h>
#include <string.h>

typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static inline u32 bits_of_f32(f32 x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline f32 f32_of_bits(u32 bits)
{
    f32 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u64 bits_of_f64(f64 x)
{
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline f64 f64_of_bits(u64 bits)
{
    f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Gives the canonical NaN for any NaN. */
static inline f32 canonical_f32(f32 x)
{
    return f32_of_bits(x != x ? UINT32_C(0x7fffffff) : bits_of_f32(x));
}

static inline f64 canonical_f64(f64 x)
{
    return f64_of_bits(x != x ? UINT64_C(0xfff8000000000000) : bits_of_f64(x));
}

/* Flushes a subnormal number to zero and keeps its sign (.ftz). */
static inline f32 flush_f32(f32 x)
{
    u32 bits = bits_of_f32(x);
    u32 sign = bits & UINT32_C(0x80000000);
    return f32_of_bits((bits & UINT32_C(0x7f800000)) == 0 ? sign : bits);
}

static inline f64 flush_f64(f64 x)
{
    u64 bits = bits_of_f64(x);
    u64 sign = bits & UINT64_C(0x8000000000000000);
    return f64_of_bits((bits & UINT64_C(0x7ff0000000000000)) == 0 ? sign : bits);
}

/* Clamps to [0, 1]; NaN gives +0 (.sat). */
static inline f32 saturate_f32(f32 x)
{
    f32 low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
}

static inline f64 saturate_f64(f64 x)
{
    f64 low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

/* -0 counts as less than +0; of a NaN and a number the number wins. */
static inline f32 min_f32(f32 x, f32 y)
{
    u32 both = bits_of_f32(x) | bits_of_f32(y);
    f32 smaller = x < y ? x : y;
    smaller = x == y ? f32_of_bits(both) : smaller;
    smaller = y != y ? x : smaller;
    return canonical_f32(smaller);
}

static inline f32 max_f32(f32 x, f32 y)
{
    u32 both = bits_of_f32(x) & bits_of_f32(y);
    f32 larger = x > y ? x : y;
    larger = x == y ? f32_of_bits(both) : larger;
    larger = y != y ? x : larger;
    return canonical_f32(larger);
}

static inline f64 min_f64(f64 x, f64 y)
{
    u64 both = bits_of_f64(x) | bits_of_f64(y);
    f64 smaller = x < y ? x : y;
    smaller = x == y ? f64_of_bits(both) : smaller;
    smaller = y != y ? x : smaller;
    return canonical_f64(smaller);
}

static inline f64 max_f64(f64 x, f64 y)
{
    u64 both = bits_of_f64(x) & bits_of_f64(y);
    f64 larger = x > y ? x : y;
    larger = x == y ? f64_of_bits(both) : larger;
    larger = y != y ? x : larger;
    return canonical_f64(larger);
}

/* min.NaN and max.NaN: a NaN wins. */
static inline f32 unless_nan_f32(f32 x, f32 y, f32 result)
{
    return f32_of_bits(x != x || y != y ? UINT32_C(0x7fffffff) : bits_of_f32(result));
}

/* Saturating 32-bit addition and subtraction. */
static inline s32 clamp_s32(s64 x)
{
    s64 low = x > INT32_MIN ? x : INT32_MIN;
    return (s32)(low < INT32_MAX ? low : INT32_MAX);
}

/* Toward zero, to the nearest number that there is; NaN gives 0. */
static inline s32 s32_of_f32(f32 x)
{
    const f32 number = x == x ? x : 0.0f;
    const f32 low = number > -0x1p31f ? number : -0x1p31f;
    const f32 within = low < 0x1p31f ? low : 0.0f;
    return number >= 0x1p31f ? INT32_MAX : (s32)within;
}

static inline u32 u32_of_f32(f32 x)
{
    const f32 low = x > 0.0f ? x : 0.0f;
    const f32 lower = low < 0x1p31f ? low : 0.0f;
    const f32 upper = low < 0x1p32f && low >= 0x1p31f ? low - 0x1p31f : 0.0f;
    const u32 within = low < 0x1p31f ? (u32)(s32)lower : (u32)(s32)upper + UINT32_C(0x80000000);
    return low >= 0x1p32f ? UINT32_MAX : within;
}

static inline s32 div_s32(s32 x, s32 y)
{
    if (y == 0) {
        return -1;
    }
    return y == -1 ? (s32)(0u - (u32)x) : x / y;
}

static inline s32 rem_s32(s32 x, s32 y)
{
    if (y == 0) {
        return x;
    }
    return y == -1 ? 0 : x % y;
}

static inline s64 div_s64(s64 x, s64 y)
{
    if (y == 0) {
        return -1;
    }
    return y == -1 ? (s64)(0u - (u64)x) : x / y;
}

static inline s64 rem_s64(s64 x, s64 y)
{
    if (y == 0) {
        return x;
    }
    return y == -1 ? 0 : x % y;
}

#endif
