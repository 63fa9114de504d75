/* libdevice_memory.h: functions of libdevice that read or store through pointers. What lies at a
 * bad pointer is reported like any access; then nothing is stored, and what is read counts as 0.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_MEMORY_H
#define GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_MEMORY_H

#include "device/emulated/arithmetic/lane_values.h"
#include "device/emulated/libdevice/libdevice.h"

/* sincos: two results, each at an address. */
void store_both_f32(const struct libdevice_lane *at, u64 first_address, f32 first,
                    u64 second_address, f32 second);
void store_both_f64(const struct libdevice_lane *at, u64 first_address, f64 first,
                    u64 second_address, f64 second);

/* frexp: the exponent goes to the address (int); 0 for zero, infinity and NaN. */
f64 split_exponent(const struct libdevice_lane *at, f64 x, u64 address);

/* modf: the whole part goes to the address; that of infinity is itself. */
f32 split_whole_f32(const struct libdevice_lane *at, f32 x, u64 address);
f64 split_whole_f64(const struct libdevice_lane *at, f64 x, u64 address);

/* remquo: the low 3 bits of the quotient, with its sign, go to the address (int); 0 for NaN. */
f64 divide_whole(const struct libdevice_lane *at, f64 x, f64 y, u64 address);

/* norm: the length of the vector of `count` numbers of 4 or 8 bytes at an address. As in libdevice,
 * a count below 1 is 1. Reading ends at the first number that cannot be read. */
long double length_at(const struct libdevice_lane *at, s32 count, u64 address, size_t bytes);

/* nan: the number that a string holds, decimal, octal (0...) or hexadecimal (0x...); all ones if it
 * has more than 64 bits, 0 if it is none. */
u64 nan_payload(const struct libdevice_lane *at, u64 address);

#endif
