/* scalar_math.h: scalar arithmetic that runs lane by lane (scalar_handlers.c) or is shared by
 * conversions (conversion.c) and libdevice (libdevice.c). */
#ifndef GPUGRADE_DEVICE_EMULATED_ARITHMETIC_SCALAR_MATH_H
#define GPUGRADE_DEVICE_EMULATED_ARITHMETIC_SCALAR_MATH_H

#include "device/emulated/arithmetic/lane_values.h"
#include "ptx/ptx.h"

/* prmt with a mode, an enum ptx_suboperation. */
u32 permute_bytes(u32 x, u32 y, u32 selector, unsigned mode);

/* fns: position of the n-th 1 of a mask from `base`, upwards or downwards; UINT32_MAX: none. */
u32 find_nth_set(u32 mask, u32 base, s32 n);

/* add.cc and its relatives, in 32 or 64 bits: how they compute, and op->count. */
enum carry_kind { CARRY_ADD, CARRY_SUB, CARRY_MAD_LO, CARRY_MAD_HI };
enum { CARRY_TAKEN = 1, CARRY_GIVEN = 2, SLOT_CARRY = 5 };

/* Returns the sum; *carry is taken and given. A subtraction adds the complement of its second
 * source, so its carry is 1 where nothing is borrowed. The PTX manual leaves open what a chain of
 * additions and subtractions does; GPUs do this (tests/emulated/pass/carry_chains.cu, seen on an
 * H200). */
u64 carry_compute(enum carry_kind kind, enum ptx_type type, const u64 sources[3], u32 *carry);

/* min and max as op->kind of OP_EXTREME says, on a type of 16 or 32 bits or on packed halves. */
enum { EXTREME_MAX = 1, EXTREME_NAN = 2, EXTREME_XORSIGN = 4 };
u32 extreme_bits(enum ptx_type type, unsigned kind, u32 x, u32 y);

/* Rounded as an enum ptx_rounding says: PTX_ROUND_RZ, RM or RP, else to nearest even
 * (directed_rounding.c). */
f32 directed_f32_of_f64(unsigned rounding, f64 x);
f32 directed_f32_of_integer(unsigned rounding, u64 x, int is_signed);
f64 directed_f64_of_integer(unsigned rounding, u64 x, int is_signed);
f32 directed_add_f32(unsigned rounding, f32 x, f32 y);
f32 directed_sub_f32(unsigned rounding, f32 x, f32 y);
f32 directed_mul_f32(unsigned rounding, f32 x, f32 y);
f32 directed_div_f32(unsigned rounding, f32 x, f32 y);
f32 directed_sqrt_f32(unsigned rounding, f32 x);
f32 directed_fma_f32(unsigned rounding, f32 x, f32 y, f32 z);
f64 directed_add_f64(unsigned rounding, f64 x, f64 y);
f64 directed_sub_f64(unsigned rounding, f64 x, f64 y);
f64 directed_mul_f64(unsigned rounding, f64 x, f64 y);
f64 directed_div_f64(unsigned rounding, f64 x, f64 y);
f64 directed_sqrt_f64(unsigned rounding, f64 x);
f64 directed_fma_f64(unsigned rounding, f64 x, f64 y, f64 z);

#endif
