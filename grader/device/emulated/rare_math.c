/* rare_math.c: bits and approximate functions; see rare_math.h. Source of the integer forms: PTX
 * ISA 9.0, chapters 9.7.1 and 9.7.8. */
#include "device/emulated/rare_math.h"

#include "ptx/ptx.h"

s64 sign_extend(u64 x, unsigned bits)
{
    return (s64)(x << (64 - bits)) >> (64 - bits);
}

u64 reverse_bits_64(u64 x)
{
    u64 reversed = 0;
    for (unsigned i = 0; i < 64; i++) {
        reversed |= (x >> i & 1) << (63 - i);
    }
    return reversed;
}

u32 reverse_bits_32(u32 x)
{
    return (u32)(reverse_bits_64(x) >> 32);
}

u32 find_bit_64(u64 x)
{
    return x == 0 ? UINT32_MAX : 63u - (u32)__builtin_clzll(x);
}

u32 shift_amount(u32 position, u32 width)
{
    return position == UINT32_MAX ? UINT32_MAX : width - 1 - position;
}

u64 extract_bits(u64 x, u32 position, u32 length, unsigned width, int is_signed)
{
    position &= 0xff;
    length &= 0xff;
    unsigned top = width - 1;
    u32 last = position + length - 1 < top ? position + length - 1 : top;
    bool is_negative = is_signed && length != 0 && (x >> last & 1) != 0;
    u64 result = is_negative ? UINT64_MAX : 0;
    for (u32 i = 0; i < width; i++) {
        if (i < length && position + i <= top) {
            u64 bit = x >> (position + i) & 1;
            result = (result & ~(UINT64_C(1) << i)) | bit << i;
        }
    }
    return result;
}

u64 insert_bits(u64 field, u64 into, u32 position, u32 length, unsigned width)
{
    position &= 0xff;
    length &= 0xff;
    for (u32 i = 0; i < length && position + i < width; i++) {
        u64 bit = UINT64_C(1) << (position + i);
        into = (field >> i & 1) != 0 ? into | bit : into & ~bit;
    }
    return into;
}

u32 bit_mask(u32 position, u32 length)
{
    u64 ones = length > 31 ? UINT32_MAX : (UINT64_C(1) << length) - 1;
    return position > 31 ? 0 : (u32)(ones << position);
}

u32 logic_of_three(u32 x, u32 y, u32 z, u32 table)
{
    u32 result = 0;
    for (unsigned row = 0; row < 8; row++) {
        u32 chosen =
            ((row & 4) != 0 ? x : ~x) & ((row & 2) != 0 ? y : ~y) & ((row & 1) != 0 ? z : ~z);
        result |= (table >> row & 1) != 0 ? chosen : 0;
    }
    return result;
}

/* The byte of x (0 to 3) and y (4 to 7) that a selector digit names; its high bit asks for copies
 * of the sign. */
static u32 select_byte(u64 both, u32 digit)
{
    u32 byte = (u32)(both >> (digit & 7) * 8 & 0xff);
    if ((digit & 8) != 0) {
        return (byte & 0x80) != 0 ? 0xff : 0;
    }
    return byte;
}

u32 permute_bytes(u32 x, u32 y, u32 selector, unsigned mode)
{
    /* selectors for the low two bits of the selector, lowest byte in the lowest digit */
    static const u32 tables[][4] = {
        [0 /* F4E */] = {0x3210, 0x4321, 0x5432, 0x6543},
        [PTX_SUB_B4E - PTX_SUB_F4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PTX_SUB_RC8 - PTX_SUB_F4E] = {0x0000, 0x1111, 0x2222, 0x3333},
        [PTX_SUB_ECL - PTX_SUB_F4E] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PTX_SUB_ECR - PTX_SUB_F4E] = {0x0000, 0x1110, 0x2210, 0x3210},
        [PTX_SUB_RC16 - PTX_SUB_F4E] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    u64 both = (u64)y << 32 | x;
    u32 digits = mode == PTX_SUB_NONE ? selector : tables[mode - PTX_SUB_F4E][selector & 3];
    u32 result = 0;
    for (unsigned i = 0; i < 4; i++) {
        result |= select_byte(both, digits >> i * 4 & 15) << i * 8;
    }
    return result;
}

f32 approximate_div(f32 x, f32 y)
{
    u32 exponent = bits_of_f32(y) >> 23 & 0xff;
    u32 sign = (bits_of_f32(x) ^ bits_of_f32(y)) & UINT32_C(0x80000000);
    bool x_is_finite = (bits_of_f32(x) >> 23 & 0xff) != 0xff;
    /* the manual: for 2^126 < |y| < 2^128 the result is 0, or NaN if x is infinite */
    if (exponent >= 253 && exponent < 255 && (y > 0x1p126f || y < -0x1p126f)) {
        return x_is_finite ? f32_of_bits(sign) : f32_of_bits(UINT32_C(0x7fffffff));
    }
    return canonical_f32(x / y);
}

f64 approximate_rcp_f64(f64 x)
{
    f64 result = canonical_f64(1.0 / f64_of_bits(bits_of_f64(x) & UINT64_C(0xffffffff00000000)));
    return f64_of_bits(bits_of_f64(result) & UINT64_C(0xffffffff00000000));
}

f64 approximate_rsqrt_f64(f64 x)
{
    return canonical_f64(1.0 / __builtin_sqrt(x));
}

f32 approximate_rsqrt(f32 x)
{
    return canonical_f32((f32)(1.0 / __builtin_sqrt((f64)x)));
}

/* Nearest integer, ties to even, for |x| < 2^51: adding 1.5 * 2^52 leaves no fraction. */
static f64 nearest_integer(f64 x)
{
    const f64 shifter = 0x1.8p52;
    volatile f64 shifted = x + shifter;
    return shifted - shifter;
}

/* 2^n for n in [-1022, 1023]. */
static f64 power_of_two(s64 n)
{
    return f64_of_bits((u64)(n + 1023) << 52);
}

/* Taylor series of exp on [-ln2/2, ln2/2]: 12 terms leave less than 2^-50. */
static f64 exponential(f64 x)
{
    f64 sum = 1.0;
    for (int k = 12; k >= 1; k--) {
        sum = 1.0 + x / k * sum;
    }
    return sum;
}

static f64 ex2_f64(f64 x)
{
    f64 whole = nearest_integer(x);
    return power_of_two((s64)whole) * exponential((x - whole) * 0x1.62e42fefa39efp-1);
}

f32 approximate_ex2(f32 x)
{
    if (x != x) {
        return canonical_f32(x);
    }
    if (x > 128.0f) {
        return f32_of_bits(UINT32_C(0x7f800000));
    }
    return x < -160.0f ? 0.0f : (f32)ex2_f64(x);
}

f32 approximate_lg2(f32 x)
{
    if (x != x || x < 0.0f) {
        return f32_of_bits(UINT32_C(0x7fffffff));
    }
    if (x == 0.0f) {
        return f32_of_bits(UINT32_C(0xff800000));
    }
    if (bits_of_f32(x) == UINT32_C(0x7f800000)) {
        return x;
    }
    u64 bits = bits_of_f64(x);
    s64 exponent = (s64)(bits >> 52) - 1023;
    f64 mantissa = f64_of_bits((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000));
    if (mantissa > 0x1.6a09e667f3bcdp0) {
        mantissa /= 2;
        exponent++;
    }
    /* ln m = 2 artanh((m - 1) / (m + 1)), |argument| < 0.172 */
    f64 t = (mantissa - 1.0) / (mantissa + 1.0);
    f64 square = t * t;
    f64 sum = 0.0;
    for (int k = 21; k >= 1; k -= 2) {
        sum = sum * square + 1.0 / k;
    }
    return (f32)((f64)exponent + 2.0 * t * sum * 0x1.71547652b82fep0);
}

/* Sine of a quarter: quadrant 0 gives sin, 1 cos, and so on. The argument is reduced by pi/2 in
 * two parts, which is exact enough for |x| < 2^20; beyond, the manual promises nothing. */
static f64 sine(f64 x, int quadrant)
{
    f64 quarters = nearest_integer(x * 0x1.45f306dc9c883p-1);
    f64 r = x - quarters * 0x1.921fb54442d18p0 - quarters * 0x1.1a62633145c07p-54;
    quadrant = (int)(((s64)quarters + quadrant) & 3);
    f64 square = r * r;
    f64 sum = 0.0;
    bool is_sine = quadrant % 2 == 0;
    for (int k = is_sine ? 17 : 18; k >= 2; k -= 2) {
        sum = -(1.0 + sum) * square / (k * (k - 1));
    }
    f64 value = is_sine ? r + r * sum : 1.0 + sum;
    return quadrant >= 2 ? -value : value;
}

f32 approximate_sin(f32 x)
{
    if ((bits_of_f32(x) >> 23 & 0xff) == 0xff) {
        return f32_of_bits(UINT32_C(0x7fffffff));
    }
    return x == 0.0f ? x : (f32)sine(x, 0);
}

f32 approximate_cos(f32 x)
{
    if ((bits_of_f32(x) >> 23 & 0xff) == 0xff) {
        return f32_of_bits(UINT32_C(0x7fffffff));
    }
    return (f32)sine(x, 1);
}

f32 approximate_tanh(f32 x)
{
    if (x != x || x == 0.0f) {
        return canonical_f32(x);
    }
    if (x > 20.0f || x < -20.0f) {
        return x > 0 ? 1.0f : -1.0f;
    }
    if (x > -0x1p-12f && x < 0x1p-12f) {
        return x;
    }
    f64 power = ex2_f64(2.0 * 0x1.71547652b82fep0 * (f64)x);
    return (f32)((power - 1.0) / (power + 1.0));
}
