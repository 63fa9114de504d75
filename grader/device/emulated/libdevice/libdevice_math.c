/* libdevice_math.c: see libdevice_math.h. */
#include "device/emulated/libdevice/libdevice_math.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#define PI_L 3.14159265358979323846264338327950288L
#define SQRT_2_L 1.41421356237309504880168872420969808L
#define SQRT_PI_L 1.77245385090551602729816748334114518L

s32 exponent_of(f64 x)
{
    if (x == 0.0 || x != x) {
        return INT_MIN;
    }
    return isinf(x) ? INT_MAX : ilogb(x);
}

f32 whole_power_f32(f32 x, s32 exponent)
{
    f32 result = 1.0f;
    for (u32 left = exponent < 0 ? 0u - (u32)exponent : (u32)exponent; left != 0; left >>= 1) {
        result = (left & 1) != 0 ? result * x : result;
        x *= x;
    }
    return exponent < 0 ? 1.0f / result : result;
}

f64 whole_power_f64(f64 x, s32 exponent)
{
    f64 result = 1.0;
    for (u32 left = exponent < 0 ? 0u - (u32)exponent : (u32)exponent; left != 0; left >>= 1) {
        result = (left & 1) != 0 ? result * x : result;
        x *= x;
    }
    return exponent < 0 ? 1.0 / result : result;
}

f64 inverse_cube_root(f64 x)
{
    return (f64)(1.0L / cbrtl(x));
}

long double length_of_four(f64 x, f64 y, f64 z, f64 w)
{
    if (isinf(x) || isinf(y) || isinf(z) || isinf(w)) {
        return INFINITY;
    }
    return sqrtl((long double)x * x + (long double)y * y + (long double)z * z + (long double)w * w);
}

/* sin((x + quarters / 2) pi). Whole turns and quarters of one are taken away without any error. */
static f64 sine_of_turn(f64 x, int quarters)
{
    const f64 within = fmod(x, 2.0);
    const f64 nearest = rint(within * 2.0);
    const long double angle = (long double)(within - nearest * 0.5) * PI_L;
    const int quadrant = ((int)nearest + quarters) & 3;
    const f64 value = (f64)((quadrant & 1) != 0 ? cosl(angle) : sinl(angle));
    return (quadrant & 2) != 0 ? -value : value;
}

f64 sine_of_pi(f64 x)
{
    if (!isfinite(x)) {
        return x - x;
    }
    return x == rint(x) ? x * 0.0 : sine_of_turn(x, 0);
}

f64 cosine_of_pi(f64 x)
{
    if (!isfinite(x)) {
        return x - x;
    }
    return sine_of_turn(x, 1) + 0.0; /* no zero has a sign */
}

f64 log_gamma(f64 x)
{
    int sign; /* lgamma() has one for all threads */
    return lgamma_r(x, &sign);
}

/* The asymptotic series has 20 terms above the last bit of a long double at x = 10, and fewer
 * beyond. */
f64 scaled_erfc(f64 x)
{
    if (!(x >= 10.0)) {
        return (f64)(expl((long double)x * x) * erfcl(x));
    }
    const long double square = 2.0L * (long double)x * x;
    long double sum = 1.0L;
    for (int k = 24; k > 0; k--) {
        sum = 1.0L - (long double)(2 * k - 1) / square * sum;
    }
    return (f64)(sum / ((long double)x * SQRT_PI_L));
}

/* One step of Halley's method for erf or erfc: `excess` is how far it is above what is wanted. The
 * second derivative of both is -2y times the first. */
static long double improve(long double y, long double excess, long double slope)
{
    const long double step = excess / slope;
    return y - step / (1.0L + y * step);
}

/* y >= 0 with erf(y) = x, for 0 <= x <= 1/2. */
static long double solve_erf(long double x)
{
    long double y = x * SQRT_PI_L / 2.0L;
    for (int i = 0; i < 5; i++) {
        y = improve(y, erfl(y) - x, 2.0L / SQRT_PI_L * expl(-y * y));
    }
    return y;
}

/* y > 0 with erfc(y) = x, for 0 < x <= 1/2. The first guess solves exp(-y * y) = x y sqrt(pi). */
static long double solve_erfc(long double x)
{
    long double y = 0.5L;
    for (int i = 0; i < 3; i++) {
        const long double square = -logl(x * SQRT_PI_L * (y < 0.5L ? 0.5L : y));
        y = sqrtl(square < 0.25L ? 0.25L : square);
    }
    for (int i = 0; i < 6; i++) {
        y = improve(y, erfcl(y) - x, -2.0L / SQRT_PI_L * expl(-y * y));
    }
    return y;
}

static long double inverse_erfc_l(f64 x)
{
    if (!(x >= 0.0 && x <= 2.0)) {
        return NAN;
    }
    if (x == 0.0 || x == 2.0) {
        return x == 0.0 ? INFINITY : -INFINITY;
    }
    if (x >= 0.5 && x <= 1.5) { /* 1 - x and 2 - x have no error here */
        return x <= 1.0 ? solve_erf(1.0 - x) : -solve_erf(x - 1.0);
    }
    return x < 0.5 ? solve_erfc(x) : -solve_erfc(2.0 - x);
}

f64 inverse_erf(f64 x)
{
    const f64 magnitude = fabs(x);
    if (!(magnitude < 1.0)) {
        return magnitude == 1.0 ? copysign(INFINITY, x) : NAN;
    }
    const long double y = magnitude <= 0.5 ? solve_erf(magnitude) : solve_erfc(1.0 - magnitude);
    return copysign((f64)y, x);
}

f64 inverse_erfc(f64 x)
{
    return (f64)inverse_erfc_l(x);
}

f64 normal_below(f64 x)
{
    return (f64)(erfcl(-(long double)x / SQRT_2_L) / 2.0L);
}

f64 inverse_normal_below(f64 x)
{
    return (f64)(-SQRT_2_L * inverse_erfc_l(2.0 * x));
}

/* Of an order above BESSEL_ORDER_MAX: about (e x / 2 order) to the power of the order, which no
 * double is small enough for if x is less than half of it. */
static f64 bessel_limit(f64 magnitude, f64 limit)
{
    return magnitude < 0.5 * BESSEL_ORDER_MAX ? limit : NAN;
}

f64 bessel_jn(s32 order, f64 x)
{
    if (order > BESSEL_ORDER_MAX) {
        return bessel_limit(fabs(x), 0.0);
    }
    return order < 0 ? NAN : jn(order, x);
}

f64 bessel_yn(s32 order, f64 x)
{
    if (order > BESSEL_ORDER_MAX) {
        return x < 0.0 ? NAN : bessel_limit(x, -INFINITY);
    }
    return order < 0 ? NAN : yn(order, x);
}

/* The sum of (x / 2)^2k / (k! (k + order)!): all terms are positive, so none of it cancels. */
static long double bessel_series(f64 x, unsigned order)
{
    const long double square = (long double)x * x / 4.0L;
    long double term = 1.0L;
    long double sum = 1.0L;
    for (unsigned k = 1; term > sum * 0x1p-70L; k++) {
        term *= square / ((long double)k * (k + order));
        sum += term;
    }
    return sum;
}

enum { BESSEL_OVERFLOW = 720 }; /* I0 and I1 of it are more than any double */

f64 bessel_i0(f64 x)
{
    return fabs(x) > BESSEL_OVERFLOW ? INFINITY : (f64)bessel_series(x, 0);
}

f64 bessel_i1(f64 x)
{
    return fabs(x) > BESSEL_OVERFLOW ? copysign(INFINITY, x)
                                     : (f64)((long double)x / 2.0L * bessel_series(x, 1));
}
