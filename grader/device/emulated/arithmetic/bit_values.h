/* bit_values.h: counting, finding, moving and multiplying bits; formulas without branches, so that
 * loops over lanes become vector instructions. Source: PTX ISA 9.0, chapters 9.7.1 and 9.7.8. */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_BIT_VALUES_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_BIT_VALUES_H

#include "device/emulated/arithmetic/lane_values.h"

/* Adds up pairs of bits, then fours, then bytes. */
static inline u32 count_bits_32(u32 x)
{
    x -= x >> 1 & UINT32_C(0x55555555);
    x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
    x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
    return x * UINT32_C(0x01010101) >> 24;
}

static inline u32 count_bits_64(u64 x)
{
    return count_bits_32((u32)x) + count_bits_32((u32)(x >> 32));
}

/* How many zeros come before the highest 1; 32 for 0. */
static inline u32 leading_zeros_32(u32 x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - count_bits_32(x);
}

static inline u32 leading_zeros_64(u64 x)
{
    const u32 high = leading_zeros_32((u32)(x >> 32));
    const u32 low = leading_zeros_32((u32)x);
    return high == 32 ? 32 + low : high;
}

/* Position of the highest 1 (bfind); UINT32_MAX for 0. */
static inline u32 find_bit_32(u32 x)
{
    return 31 - leading_zeros_32(x);
}

static inline u32 find_bit_64(u64 x)
{
    return 63 - leading_zeros_64(x);
}

/* The shift that brings that bit to the top (bfind.shiftamt). */
static inline u32 shift_amount(u32 position, u32 width)
{
    return position == UINT32_MAX ? UINT32_MAX : width - 1 - position;
}

static inline u32 reverse_bits_32(u32 x)
{
    x = (x >> 1 & UINT32_C(0x55555555)) | (x & UINT32_C(0x55555555)) << 1;
    x = (x >> 2 & UINT32_C(0x33333333)) | (x & UINT32_C(0x33333333)) << 2;
    x = (x >> 4 & UINT32_C(0x0f0f0f0f)) | (x & UINT32_C(0x0f0f0f0f)) << 4;
    x = (x >> 8 & UINT32_C(0x00ff00ff)) | (x & UINT32_C(0x00ff00ff)) << 8;
    return x >> 16 | x << 16;
}

static inline u64 reverse_bits_64(u64 x)
{
    return (u64)reverse_bits_32((u32)x) << 32 | reverse_bits_32((u32)(x >> 32));
}

/* `length` ones from `position`; what lies beyond bit 31 is cut. */
static inline u32 bit_mask(u32 position, u32 length)
{
    const u32 ones = length > 31 ? UINT32_MAX : ~(UINT32_MAX << (length & 31));
    return position > 31 ? 0 : ones << (position & 31);
}

static inline u64 bit_mask_64(u32 position, u32 length)
{
    const u64 ones = length > 63 ? UINT64_MAX : ~(UINT64_MAX << (length & 63));
    return position > 63 ? 0 : ones << (position & 63);
}

/* bfe: `length` bits from `position`, both modulo 256; signed, the last of them fills the rest. */
static inline u32 extract_u32(u32 x, u32 position, u32 length)
{
    position &= 0xff;
    return position > 31 ? 0 : x >> (position & 31) & bit_mask(0, length & 0xff);
}

static inline u32 extract_s32(u32 x, u32 position, u32 length)
{
    position = (position & 0xff) > 31 ? 31 : position & 31;
    length = (length & 0xff) > 32 ? 32 : length & 0xff;
    const u32 cut = (32 - length) & 31;
    const s32 field = (s32)((u32)((s32)x >> position) << cut) >> cut;
    return length == 0 ? 0 : (u32)field;
}

static inline u64 extract_u64(u64 x, u32 position, u32 length)
{
    position &= 0xff;
    return position > 63 ? 0 : x >> (position & 63) & bit_mask_64(0, length & 0xff);
}

static inline u64 extract_s64(u64 x, u32 position, u32 length)
{
    position = (position & 0xff) > 63 ? 63 : position & 63;
    length = (length & 0xff) > 64 ? 64 : length & 0xff;
    const u32 cut = (64 - length) & 63;
    const s64 field = (s64)((u64)((s64)x >> position) << cut) >> cut;
    return length == 0 ? 0 : (u64)field;
}

/* bfi: the low `length` bits of the field, put at `position`. */
static inline u32 insert_bits_32(u32 field, u32 into, u32 position, u32 length)
{
    const u32 mask = bit_mask(position & 0xff, length & 0xff);
    return (into & ~mask) | (field << (position & 31) & mask);
}

static inline u64 insert_bits_64(u64 field, u64 into, u32 position, u32 length)
{
    const u64 mask = bit_mask_64(position & 0xff, length & 0xff);
    return (into & ~mask) | (field << (position & 63) & mask);
}

/* The low `bits` of x as a signed number. */
static inline s64 sign_extend(u64 x, unsigned bits)
{
    return (s64)(x << (64 - bits)) >> (64 - bits);
}

/* One of two words for each bit: where the bit of `chooser` is 1, that of `one`. */
static inline u32 choose_bits(u32 chooser, u32 one, u32 zero)
{
    return zero ^ (chooser & (one ^ zero));
}

/* lop3: for each bit, the bit of `table` that the three source bits select. */
static inline u32 logic_of_three(u32 x, u32 y, u32 z, u32 table)
{
    const u32 neither = choose_bits(z, 0 - (table >> 1 & 1), 0 - (table & 1));
    const u32 only_y = choose_bits(z, 0 - (table >> 3 & 1), 0 - (table >> 2 & 1));
    const u32 only_x = choose_bits(z, 0 - (table >> 5 & 1), 0 - (table >> 4 & 1));
    const u32 both = choose_bits(z, 0 - (table >> 7 & 1), 0 - (table >> 6 & 1));
    return choose_bits(x, choose_bits(y, both, only_x), choose_bits(y, only_y, neither));
}

/* The byte of x (0 to 3) and y (4 to 7) that a selector digit names; its high bit asks for copies
 * of the sign. */
static inline u32 select_byte(u32 x, u32 y, u32 digit)
{
    const u32 byte = ((digit & 4) != 0 ? y : x) >> (digit & 3) * 8 & 0xff;
    return (digit & 8) != 0 ? (byte >> 7) * 0xff : byte;
}

/* prmt in its default mode. */
static inline u32 permute_digits(u32 x, u32 y, u32 digits)
{
    return select_byte(x, y, digits) | select_byte(x, y, digits >> 4) << 8 |
           select_byte(x, y, digits >> 8) << 16 | select_byte(x, y, digits >> 12) << 24;
}

/* A byte or a half of x from bit `at`; `sign` is its highest bit if it is signed, else 0. */
static inline u32 part_of(u32 x, u32 at, u32 mask, u32 sign)
{
    return ((x >> at & mask) ^ sign) - sign;
}

/* dp4a: four products of bytes, added to z. */
static inline u32 dot_product_4(u32 x, u32 y, u32 z, u32 x_sign, u32 y_sign)
{
    z += part_of(x, 0, 0xff, x_sign) * part_of(y, 0, 0xff, y_sign);
    z += part_of(x, 8, 0xff, x_sign) * part_of(y, 8, 0xff, y_sign);
    z += part_of(x, 16, 0xff, x_sign) * part_of(y, 16, 0xff, y_sign);
    return z + part_of(x, 24, 0xff, x_sign) * part_of(y, 24, 0xff, y_sign);
}

/* dp2a: two products of halves of x with bytes of y from bit `at`, added to z. */
static inline u32 dot_product_2(u32 x, u32 y, u32 z, u32 x_sign, u32 y_sign, u32 at)
{
    z += part_of(x, 0, 0xffff, x_sign) * part_of(y, at, 0xff, y_sign);
    return z + part_of(x, 16, 0xffff, x_sign) * part_of(y, at + 8, 0xff, y_sign);
}

/* vshr: shifted by up to 31; `sign` is 0x80000000 if the value is signed. */
static inline u32 shifted_right(u32 value, u32 by, u32 sign)
{
    const u32 filled = (value & sign) != 0 ? ~(~(u32)0 >> by) : 0;

    return value >> by | filled;
}

/* vabsdiff4: the distance of two bytes; `flip` is 0x80 if they are signed. */
static inline u32 byte_distance(u32 x, u32 y, u32 at, u32 flip)
{
    const u32 a = (x >> at & 0xff) ^ flip;
    const u32 b = (y >> at & 0xff) ^ flip;
    return a < b ? b - a : a - b;
}

static inline u32 byte_distances(u32 x, u32 y, u32 flip)
{
    return byte_distance(x, y, 0, flip) | byte_distance(x, y, 8, flip) << 8 |
           byte_distance(x, y, 16, flip) << 16 | byte_distance(x, y, 24, flip) << 24;
}

static inline u32 byte_sum(u32 x)
{
    return (x & 0xff) + (x >> 8 & 0xff) + (x >> 16 & 0xff) + (x >> 24);
}

#endif
