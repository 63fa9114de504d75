/* conversion.c: see conversion.h. Source: PTX ISA 9.0, "cvt". */
#include "device/emulated/conversion.h"

#include "device/emulated/rare_math.h"

#include <math.h>

bool conversion_is_known(const struct conversion *conversion)
{
    enum ptx_type types[2] = {conversion->to, conversion->from};
    for (unsigned i = 0; i < 2; i++) {
        enum ptx_type type = types[i];
        bool is_float = type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
        bool is_integer =
            (type >= PTX_U8 && type <= PTX_U64) || (type >= PTX_S8 && type <= PTX_S64);
        if (!is_float && !is_integer) {
            return false;
        }
    }
    return true;
}

static f64 f64_of_f16(uint16_t bits)
{
    u32 exponent = bits >> 10 & 31;
    u64 fraction = bits & 0x3ff;
    f64 magnitude;
    if (exponent == 31) {
        magnitude = fraction != 0 ? (f64)NAN : (f64)INFINITY;
    } else if (exponent == 0) {
        magnitude = (f64)fraction * 0x1p-24;
    } else {
        magnitude = f64_of_bits((u64)(exponent + 1023 - 15) << 52 | fraction << 42);
    }
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/* Rounds a number to an integer, as a number. */
static f64 round_to_integer(f64 x, enum ptx_rounding rounding)
{
    switch (rounding) {
    case PTX_ROUND_RNI:
    case PTX_ROUND_RN:
        return roundeven(x);
    case PTX_ROUND_RMI:
    case PTX_ROUND_RM:
        return floor(x);
    case PTX_ROUND_RPI:
    case PTX_ROUND_RP:
        return ceil(x);
    default:
        return trunc(x);
    }
}

/* Rounds a double to f16; `rounding` is RN (also for none), RZ, RM or RP. */
static u64 f16_of_f64(f64 x, enum ptx_rounding rounding)
{
    u64 sign = bits_of_f64(x) >> 63 << 15;
    if (x != x) {
        return 0x7fff;
    }
    f64 magnitude = fabs(x);
    int exponent = 0;
    if (magnitude > 0x1p17) {
        magnitude = 0x1p17; /* far beyond the largest f16, so that scaling stays exact */
    }
    frexp(magnitude, &exponent);
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    f64 scaled = ldexp(sign != 0 ? -magnitude : magnitude, -unit);
    enum ptx_rounding used = rounding == PTX_ROUND_NONE ? PTX_ROUND_RN : rounding;
    f64 rounded = fabs(round_to_integer(scaled, used == PTX_ROUND_RZ ? PTX_ROUND_RZI : used));
    f64 value = ldexp(rounded, unit);
    if (value > 65504.0) {
        bool to_largest = used == PTX_ROUND_RZ || (used == PTX_ROUND_RM && sign == 0) ||
                          (used == PTX_ROUND_RP && sign != 0);
        return sign | (isinf(x) ? 0x7c00 : to_largest ? 0x7bff : 0x7c00);
    }
    if (value < 0x1p-14) {
        return sign | (u64)(value * 0x1p24);
    }
    int result_exponent;
    f64 fraction = frexp(value, &result_exponent);
    return sign | (u64)(result_exponent + 14) << 10 | ((u64)(fraction * 0x1p11) & 0x3ff);
}

static f64 f64_of_source(const struct conversion *conversion, u64 bits)
{
    if (conversion->from == PTX_F64) {
        return f64_of_bits(bits);
    }
    if (conversion->from == PTX_F16) {
        return f64_of_f16((uint16_t)bits);
    }
    f32 x = f32_of_bits((u32)bits);
    return conversion->flushes ? flush_f32(x) : x;
}

/* An integer source, extended to 64 bits. */
static u64 extend_source(enum ptx_type type, u64 bits)
{
    unsigned width = (unsigned)ptx_type_bytes(type) * 8;
    if (ptx_type_is_signed(type)) {
        return (u64)sign_extend(bits, width);
    }
    return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static u64 integer_of_float(const struct conversion *conversion, f64 x)
{
    unsigned width = (unsigned)ptx_type_bytes(conversion->to) * 8;
    bool is_signed = ptx_type_is_signed(conversion->to);
    if (x != x) {
        bool gives_zero = conversion->from != PTX_F64 && width != 64;
        return gives_zero ? 0 : extend_source(conversion->to, UINT64_C(1) << (width - 1));
    }
    f64 rounded = round_to_integer(x, conversion->rounding);
    f64 limit = ldexp(1.0, (int)(is_signed ? width - 1 : width));
    u64 largest = is_signed ? (UINT64_C(1) << (width - 1)) - 1
                            : (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
    if (rounded >= limit) {
        return largest;
    }
    if (is_signed) {
        return rounded < -limit ? ~largest : (u64)(s64)rounded;
    }
    return rounded <= 0.0 ? 0 : (u64)rounded;
}

/* Clamps an integer to the range of the result type (.sat). */
static u64 saturate_integer(const struct conversion *conversion, u64 value)
{
    unsigned width = (unsigned)ptx_type_bytes(conversion->to) * 8;
    bool from_signed = ptx_type_is_signed(conversion->from);
    bool to_signed = ptx_type_is_signed(conversion->to);
    u64 largest = to_signed ? (UINT64_C(1) << (width - 1)) - 1
                            : (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
    if (from_signed && (s64)value < 0) {
        s64 smallest = to_signed ? (s64)~largest : 0;
        return (s64)value < smallest ? (u64)smallest : value;
    }
    return value > largest ? largest : value;
}

static u64 float_of_integer(const struct conversion *conversion, u64 value)
{
    int is_signed = ptx_type_is_signed(conversion->from);
    if (conversion->to == PTX_F64) {
        f64 x = directed_f64_of_integer(conversion->rounding, value, is_signed);
        return bits_of_f64(conversion->saturates ? saturate_f64(x) : x);
    }
    if (conversion->to == PTX_F16) {
        /* toward zero first: two bits more than f16 has decide how it is rounded then */
        f64 exact = directed_f64_of_integer(PTX_ROUND_RZ, value, is_signed);
        return f16_of_f64(exact, conversion->rounding);
    }
    f32 x = directed_f32_of_integer(conversion->rounding, value, is_signed);
    return bits_of_f32(conversion->saturates ? saturate_f32(x) : x);
}

static bool rounds_to_integer(enum ptx_rounding rounding)
{
    return rounding >= PTX_ROUND_RNI && rounding <= PTX_ROUND_RPI;
}

static u64 float_of_float(const struct conversion *conversion, f64 x)
{
    f64 value =
        rounds_to_integer(conversion->rounding) ? round_to_integer(x, conversion->rounding) : x;
    if (conversion->to == PTX_F64) {
        return bits_of_f64(canonical_f64(conversion->saturates ? saturate_f64(value) : value));
    }
    value = conversion->saturates ? saturate_f64(value) : value;
    if (conversion->to == PTX_F16) {
        return f16_of_f64(value, conversion->rounding);
    }
    f32 narrow = directed_f32_of_f64(conversion->rounding, value);
    return bits_of_f32(conversion->flushes ? flush_f32(narrow) : narrow);
}

uint64_t convert_bits(const struct conversion *conversion, uint64_t bits)
{
    bool from_float = ptx_type_is_float(conversion->from);
    bool to_float = ptx_type_is_float(conversion->to);
    if (from_float) {
        f64 x = f64_of_source(conversion, bits);
        return to_float ? float_of_float(conversion, x) : integer_of_float(conversion, x);
    }
    u64 value = extend_source(conversion->from, bits);
    if (to_float) {
        return float_of_integer(conversion, value);
    }
    value = conversion->saturates ? saturate_integer(conversion, value) : value;
    return extend_source(conversion->to, value);
}
