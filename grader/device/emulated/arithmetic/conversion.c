/* conversion.c: see conversion.h. Source: PTX ISA 9.0, "cvt". */
#include "device/emulated/arithmetic/conversion.h"

#include "device/emulated/arithmetic/bit_values.h"
#include "device/emulated/arithmetic/half_values.h"
#include "device/emulated/arithmetic/scalar_math.h"

#include <math.h>

bool conversion_is_known(const struct conversion *conversion)
{
    enum ptx_type types[2] = {conversion->to, conversion->from};
    for (unsigned i = 0; i < 2; i++) {
        enum ptx_type type = ptx_type_element(types[i]);
        bool is_float = type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64 ||
                        type == PTX_TF32 || type == PTX_E4M3 || type == PTX_E5M2;
        bool is_integer =
            (type >= PTX_U8 && type <= PTX_U64) || (type >= PTX_S8 && type <= PTX_S64);
        if (!is_float && !is_integer) {
            return false;
        }
    }
    return true;
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

/* A format of at most 16 bits. e4m3 has bias 7 and no infinity: it is what f16 would be with fewer
 * bits of fraction, times 2^8, and its largest numbers stand where f16 goes on. */
struct half_format {
    int fraction_bits, bias;
    u64 largest; /* number */
    f64 scale;
};

static const struct half_format half_formats[] = {
    [PTX_F16] = {10, 15, 0x7bff, 1.0},
    [PTX_BF16] = {7, 127, 0x7f7f, 1.0},
    [PTX_E4M3] = {3, 15, 0x7e, 0x1p8},
    [PTX_E5M2] = {2, 15, 0x7b, 1.0},
};

/* Rounds a double to such a format, but for its scale and with the sign in bit 15; `rounding` is RN
 * (also for none), RZ, RM or RP. */
static u64 directed_half_of_f64(f64 x, enum ptx_type type, enum ptx_rounding rounding)
{
    const struct half_format *format = &half_formats[type];
    u64 sign = bits_of_f64(x) >> 63;
    u64 infinity = (u64)(2 * format->bias + 1) << format->fraction_bits;
    u64 nearest = half_of_f64(x, format->fraction_bits, format->bias);
    if (x != x || isinf(x) || rounding == PTX_ROUND_RN || rounding == PTX_ROUND_NONE) {
        return nearest;
    }
    int exponent;
    frexp(x, &exponent);
    int lowest = 1 - format->bias - format->fraction_bits; /* of the least subnormal number */
    int unit = exponent - 1 - format->fraction_bits;
    unit = unit < lowest ? lowest : unit;
    f64 rounded =
        round_to_integer(ldexp(x, -unit), rounding == PTX_ROUND_RZ ? PTX_ROUND_RZI : rounding);
    u64 half = half_of_f64(ldexp(fabs(rounded), unit), format->fraction_bits, format->bias);
    bool to_largest = rounding == PTX_ROUND_RZ || (rounding == PTX_ROUND_RM && sign == 0) ||
                      (rounding == PTX_ROUND_RP && sign != 0);
    half -= half == infinity && to_largest;
    return half | sign << 15;
}

static f64 f64_of_source(const struct conversion *conversion, u64 bits)
{
    if (conversion->from == PTX_F64) {
        return f64_of_bits(bits);
    }
    if (conversion->from == PTX_F16) {
        return f32_of_f16((u32)bits & 0xffff);
    }
    if (conversion->from == PTX_BF16) {
        return f32_of_bf16((u32)bits & 0xffff);
    }
    if (conversion->from == PTX_E4M3) {
        f32 x = f32_of_f16(((u32)bits & 0x7f) << 7 | ((u32)bits & 0x80) << 8) * 256.0f;
        return (bits & 0x7f) == 0x7f ? (f64)NAN : (f64)x;
    }
    if (conversion->from == PTX_E5M2) {
        return f32_of_f16(((u32)bits & 0xff) << 8);
    }
    f32 x = f32_of_bits((u32)bits);
    return conversion->flushes ? flush_f32(x) : x;
}

/* An integer source, extended to 64 bits. */
static u64 extend_source(enum ptx_type type, u64 bits)
{
    unsigned width = ptx_type_bits(type);
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
    unsigned width = ptx_type_bits(conversion->to);
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

static bool is_half(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_E4M3 || type == PTX_E5M2;
}

/* Rounds to a half or less, and clamps it (.sat, .satfinite, .relu). */
static u64 half_result(const struct conversion *conversion, f64 x)
{
    const struct half_format *format = &half_formats[conversion->to];
    u64 sign = UINT64_C(1) << (ptx_type_bits(conversion->to) - 1);
    f64 value = conversion->saturates ? saturate_f64(x) : x;
    if (value != value) {
        return sign - 1;
    }
    u64 half = directed_half_of_f64(value / format->scale, conversion->to, conversion->rounding);
    bool is_negative = (half & 0x8000) != 0;
    u64 size = half & 0x7fff;
    size = conversion->is_finite && size > format->largest ? format->largest : size;
    if (is_negative && conversion->clamps) {
        return 0;
    }
    return is_negative ? size | sign : size;
}

/* tf32 has the exponent of f32 and 10 bits of fraction; the other bits are 0. As on an H200, .rna
 * leaves the upper bits of an infinity and of what is not a number as they are, and with .satfinite
 * takes one unit from them. */
static u64 tf32_of_f32(const struct conversion *conversion, u32 bits)
{
    const u32 unit = UINT32_C(1) << 13, infinity = UINT32_C(0x7f800000);
    u32 sign = bits & UINT32_C(0x80000000), size = bits - sign;
    bool is_away = conversion->rounding == PTX_ROUND_RNA;
    if (size > infinity && !is_away) {
        return UINT32_C(0x7fffffff) - (unit - 1);
    }
    if (size < infinity) {
        size += is_away                                ? unit / 2
                : conversion->rounding == PTX_ROUND_RN ? unit / 2 - 1 + (size / unit & 1)
                                                       : 0;
    }
    size -= size % unit;
    size -= conversion->is_finite && size >= infinity ? unit : 0;
    return sign != 0 && conversion->clamps ? 0 : size | sign;
}

static u64 float_of_integer(const struct conversion *conversion, u64 value)
{
    int is_signed = ptx_type_is_signed(conversion->from);
    if (conversion->to == PTX_F64) {
        f64 x = directed_f64_of_integer(conversion->rounding, value, is_signed);
        return bits_of_f64(conversion->saturates ? saturate_f64(x) : x);
    }
    if (is_half(conversion->to)) {
        /* to odd first (an inexact number gets a last bit of 1), so that the second rounding is
         * the only one that counts */
        u64 bits = bits_of_f64(directed_f64_of_integer(PTX_ROUND_RZ, value, is_signed));
        f64 cut = f64_of_bits(bits);
        bool is_exact = directed_f64_of_integer(PTX_ROUND_RP, value, is_signed) == cut &&
                        directed_f64_of_integer(PTX_ROUND_RM, value, is_signed) == cut;
        return half_result(conversion, f64_of_bits(is_exact ? bits : bits | 1));
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
    if (is_half(conversion->to)) {
        return half_result(conversion, value);
    }
    f32 narrow = directed_f32_of_f64(conversion->rounding, value);
    return bits_of_f32(conversion->flushes ? flush_f32(narrow) : narrow);
}

/* The two values of a pair, or of what is packed. */
static u64 convert_pair(const struct conversion *conversion, u64 bits)
{
    const struct conversion one = {.to = ptx_type_element(conversion->to),
                                   .from = ptx_type_element(conversion->from),
                                   .rounding = conversion->rounding,
                                   .saturates = conversion->saturates,
                                   .clamps = conversion->clamps,
                                   .is_finite = conversion->is_finite};
    unsigned from_bits = ptx_type_bits(one.from);
    unsigned to_bits = ptx_type_bits(one.to);
    u64 lower = convert_bits(&one, bits & ((UINT64_C(1) << from_bits) - 1));
    u64 upper = convert_bits(&one, bits >> from_bits & ((UINT64_C(1) << from_bits) - 1));
    u64 mask = (UINT64_C(1) << to_bits) - 1;
    return (lower & mask) | (upper & mask) << to_bits;
}

uint64_t convert_bits(const struct conversion *conversion, uint64_t bits)
{
    if (conversion->packs || ptx_type_element(conversion->to) != conversion->to) {
        return convert_pair(conversion, bits);
    }
    if (conversion->to == PTX_TF32) {
        return tf32_of_f32(conversion, (u32)bits);
    }
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
