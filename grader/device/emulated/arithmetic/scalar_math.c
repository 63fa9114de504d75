/* scalar_math.c: see scalar_math.h. Source: PTX ISA 9.0, chapters 9.7.1 to 9.7.8. */
#include "device/emulated/arithmetic/scalar_math.h"

#include "device/emulated/arithmetic/bit_values.h"
#include "device/emulated/arithmetic/half_values.h"

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
    return permute_digits(x, y, tables[mode - PTX_SUB_F4E][selector & 3]);
}

u32 find_nth_set(u32 mask, u32 base, s32 n)
{
    if (base > 31) {
        return UINT32_MAX;
    }
    if (n == 0) {
        return (mask >> base & 1) != 0 ? base : UINT32_MAX;
    }
    s64 left = n > 0 ? (s64)n : -(s64)n;
    for (s32 position = (s32)base; position >= 0 && position<32; position += n> 0 ? 1 : -1) {
        left -= mask >> position & 1;
        if (left == 0) {
            return (u32)position;
        }
    }
    return UINT32_MAX;
}

/* The upper half of a product of two words. */
static u64 product_high(enum ptx_type type, u64 x, u64 y)
{
    switch (type) {
    case PTX_U32:
        return x * y >> 32;
    case PTX_S32:
        return (u32)((s64)(s32)x * (s32)y >> 32);
    case PTX_U64:
        return (u64)((u128)x * y >> 64);
    default:
        return (u64)((s128)(s64)x * (s64)y >> 64);
    }
}

u64 carry_compute(enum carry_kind kind, enum ptx_type type, const u64 sources[3], u32 *carry)
{
    unsigned width = (unsigned)ptx_type_bytes(type) * 8;
    u64 mask = width == 64 ? UINT64_MAX : UINT32_MAX;
    u128 x = sources[0];
    u128 y = sources[1];
    if (kind == CARRY_MAD_LO || kind == CARRY_MAD_HI) {
        x = kind == CARRY_MAD_LO ? sources[0] * sources[1] & mask
                                 : product_high(type, sources[0], sources[1]);
        y = sources[2];
    }
    u128 sum = x + (kind == CARRY_SUB ? ~y & mask : y) + *carry;
    *carry = (u32)(sum >> width) & 1;
    return (u64)sum & mask;
}

/* min or max of two numbers that stand for halves too. */
static f32 extreme_f32(unsigned kind, f32 x, f32 y)
{
    u32 sign = (bits_of_f32(x) ^ bits_of_f32(y)) & UINT32_C(0x80000000);
    if ((kind & EXTREME_XORSIGN) != 0) {
        x = f32_of_bits(bits_of_f32(x) & UINT32_C(0x7fffffff));
        y = f32_of_bits(bits_of_f32(y) & UINT32_C(0x7fffffff));
    }
    f32 result = (kind & EXTREME_MAX) != 0 ? max_f32(x, y) : min_f32(x, y);
    result = (kind & EXTREME_NAN) != 0 ? unless_nan_f32(x, y, result) : result;
    bool has_sign = (kind & EXTREME_XORSIGN) != 0 && result == result;
    return has_sign ? f32_of_bits(bits_of_f32(result) | sign) : result;
}

u32 extreme_bits(enum ptx_type type, unsigned kind, u32 x, u32 y)
{
    switch (type) {
    case PTX_F16:
        return f16_of_f32(extreme_f32(kind, f32_of_f16(x), f32_of_f16(y)));
    case PTX_BF16:
        return bf16_of_f32(extreme_f32(kind, f32_of_bf16(x), f32_of_bf16(y)));
    case PTX_F16X2:
        return f16_of_f32(extreme_f32(kind, f32_of_f16(x & 0xffff), f32_of_f16(y & 0xffff))) |
               f16_of_f32(extreme_f32(kind, f32_of_f16(x >> 16), f32_of_f16(y >> 16))) << 16;
    case PTX_BF16X2:
        return bf16_of_f32(extreme_f32(kind, f32_of_bf16(x & 0xffff), f32_of_bf16(y & 0xffff))) |
               bf16_of_f32(extreme_f32(kind, f32_of_bf16(x >> 16), f32_of_bf16(y >> 16))) << 16;
    default:
        return bits_of_f32(extreme_f32(kind, f32_of_bits(x), f32_of_bits(y)));
    }
}
