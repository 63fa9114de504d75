/* rare_math.h: scalar arithmetic of the instructions in rare_ops.def.
 *
 * Approximate functions are formulas of our own in double precision with nothing but + - * / and
 * square roots, so their bits depend on neither processor nor C library. They stay within the
 * errors that the PTX manual allows (2 units in the last place or less; sin and cos 2^-20.9
 * absolute in [-pi, pi]).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RARE_MATH_H
#define GPUGRADE_DEVICE_EMULATED_RARE_MATH_H

#include "device/emulated/lane_values.h"

/* The low `bits` of x as a signed number. */
s64 sign_extend(u64 x, unsigned bits);

u32 reverse_bits_32(u32 x);
u64 reverse_bits_64(u64 x);

/* Position of the highest 1, UINT32_MAX for 0 (bfind), and the shift that brings it to the top. */
u32 find_bit_64(u64 x);
u32 shift_amount(u32 position, u32 width);

/* bfe and bfi: `length` bits from `position`; both are taken modulo 256. */
u64 extract_bits(u64 x, u32 position, u32 length, unsigned width, int is_signed);
u64 insert_bits(u64 field, u64 into, u32 position, u32 length, unsigned width);
u32 bit_mask(u32 position, u32 length);

/* lop3: for each bit, the bit of `table` that the three source bits select. */
u32 logic_of_three(u32 x, u32 y, u32 z, u32 table);

/* prmt; `mode` is an enum ptx_suboperation, PTX_SUB_NONE for the default mode. */
u32 permute_bytes(u32 x, u32 y, u32 selector, unsigned mode);

/* Rounded as an enum ptx_rounding says: PTX_ROUND_RZ, RM or RP. */
f32 directed_add_f32(unsigned rounding, f32 x, f32 y);
f32 directed_mul_f32(unsigned rounding, f32 x, f32 y);
f32 directed_fma_f32(unsigned rounding, f32 x, f32 y, f32 z);
f32 directed_div_f32(unsigned rounding, f32 x, f32 y);
f32 directed_sqrt_f32(unsigned rounding, f32 x);
f64 directed_add_f64(unsigned rounding, f64 x, f64 y);
f64 directed_mul_f64(unsigned rounding, f64 x, f64 y);
f64 directed_fma_f64(unsigned rounding, f64 x, f64 y, f64 z);
f64 directed_div_f64(unsigned rounding, f64 x, f64 y);
f64 directed_sqrt_f64(unsigned rounding, f64 x);
f32 directed_f32_of_f64(unsigned rounding, f64 x);
f32 directed_f32_of_integer(unsigned rounding, u64 x, int is_signed);
f64 directed_f64_of_integer(unsigned rounding, u64 x, int is_signed);

f32 approximate_div(f32 x, f32 y);
f32 approximate_rsqrt(f32 x);
f32 approximate_sin(f32 x);
f32 approximate_cos(f32 x);
f32 approximate_ex2(f32 x);
f32 approximate_lg2(f32 x);
f32 approximate_tanh(f32 x);
f64 approximate_rcp_f64(f64 x);
f64 approximate_rsqrt_f64(f64 x);

#endif
