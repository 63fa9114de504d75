/* libdevice_math.h: functions of libdevice that the C library of the host does not have. Where more
 * than a double is needed, they compute in long double.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_MATH_H
#define GPUGRADE_DEVICE_EMULATED_LIBDEVICE_LIBDEVICE_MATH_H

#include "device/emulated/arithmetic/lane_values.h"

/* ilogb: of infinity INT_MAX, of zero and NaN INT_MIN. */
s32 exponent_of(f64 x);

/* powi: x multiplied by itself in its own type, for a negative exponent the inverse of that; all
 * bits are those of libdevice. */
f32 whole_power_f32(f32 x, s32 exponent);
f64 whole_power_f64(f64 x, s32 exponent);

f64 inverse_cube_root(f64 x);

/* norm4d: infinite if any part is, even beside NaN. */
long double length_of_four(f64 x, f64 y, f64 z, f64 w);

/* sinpi and cospi: of x times pi. */
f64 sine_of_pi(f64 x);
f64 cosine_of_pi(f64 x);

f64 log_gamma(f64 x);

f64 scaled_erfc(f64 x); /* exp(x * x) * erfc(x) */
f64 inverse_erf(f64 x);
f64 inverse_erfc(f64 x);
f64 normal_below(f64 x); /* the standard normal distribution function */
f64 inverse_normal_below(f64 x);

/* Bessel functions. Below order 0, jn and yn are NaN. Their time grows with the order, so above
 * BESSEL_ORDER_MAX they have only the limits that they reach where x is far below the order, and
 * are NaN elsewhere. */
enum { BESSEL_ORDER_MAX = 1 << 14 };
f64 bessel_jn(s32 order, f64 x);
f64 bessel_yn(s32 order, f64 x);
f64 bessel_i0(f64 x); /* modified */
f64 bessel_i1(f64 x);

#endif
