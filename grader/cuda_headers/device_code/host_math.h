/* host_math.h: functions of the host that CUDA C++ has beside those of the C library. */
#ifndef GPUGRADE_CUDA_HEADERS_HOST_MATH_H
#define GPUGRADE_CUDA_HEADERS_HOST_MATH_H

#define GPUGRADE_HOST static __inline__ __host__ __attribute__((unused))

GPUGRADE_HOST int min(int x, int y)
{
    return x < y ? x : y;
}
GPUGRADE_HOST int max(int x, int y)
{
    return x < y ? y : x;
}
#define GPUGRADE_MIN_MAX(prefix, type)                                                             \
    GPUGRADE_HOST type prefix##min(type x, type y)                                                 \
    {                                                                                              \
        return x < y ? x : y;                                                                      \
    }                                                                                              \
    GPUGRADE_HOST type prefix##max(type x, type y)                                                 \
    {                                                                                              \
        return x < y ? y : x;                                                                      \
    }
GPUGRADE_MIN_MAX(u, unsigned)
GPUGRADE_MIN_MAX(ll, long long)
GPUGRADE_MIN_MAX(ull, unsigned long long)
#undef GPUGRADE_MIN_MAX

/* sin(pi x) and cos(pi x): x is brought to the eighth of a turn nearest to 0, which is exact. */
GPUGRADE_HOST void sincospi(double x, double *sine, double *cosine)
{
    double turns = remainder(x, 2.0);
    double quarter = rint(2.0 * turns);
    double rest = (turns - 0.5 * quarter) * 3.14159265358979323846;
    double s = sin(rest), c = cos(rest);
    switch ((int)quarter & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
    if (turns == rint(turns)) {
        *sine = copysign(0.0, x);
    }
}
GPUGRADE_HOST double sinpi(double x)
{
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    return sine;
}
GPUGRADE_HOST double cospi(double x)
{
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    return cosine;
}
GPUGRADE_HOST void sincospif(float x, float *sine, float *cosine)
{
    double s, c;
    sincospi((double)x, &s, &c);
    *sine = (float)s, *cosine = (float)c;
}

GPUGRADE_HOST double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
GPUGRADE_HOST double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
GPUGRADE_HOST double fdivide(double x, double y)
{
    return x / y;
}
GPUGRADE_HOST float fdividef(float x, float y)
{
    return x / y;
}
GPUGRADE_HOST double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
GPUGRADE_HOST double norm3d(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}
GPUGRADE_HOST double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}
GPUGRADE_HOST double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}
GPUGRADE_HOST double rnorm4d(double x, double y, double z, double w)
{
    return 1.0 / norm4d(x, y, z, w);
}
GPUGRADE_HOST double norm(int count, const double *values)
{
    double length = 0.0;
    for (int i = 0; i < count; i++) {
        length = hypot(length, values[i]);
    }
    return length;
}
GPUGRADE_HOST double rnorm(int count, const double *values)
{
    return 1.0 / norm(count, values);
}
GPUGRADE_HOST float normf(int count, const float *values)
{
    double length = 0.0;
    for (int i = 0; i < count; i++) {
        length = hypot(length, (double)values[i]);
    }
    return (float)length;
}
GPUGRADE_HOST float rnormf(int count, const float *values)
{
    return 1.0f / normf(count, values);
}

/* exp(x * x) erfc(x): by the continued fraction where the factors leave the range of double. */
GPUGRADE_HOST double erfcx(double x)
{
    if (x < 20.0) {
        return exp(x * x) * erfc(x);
    }
    double fraction = x;
    for (int k = 40; k > 0; k--) {
        fraction = x + 0.5 * k / fraction;
    }
    return 0.56418958354775628695 / fraction;
}
GPUGRADE_HOST double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* The y of erfc(y) = x, by Newton's method in the logarithm, which converges from everywhere. */
GPUGRADE_HOST double erfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0)) {
        return x == 0.0 ? HUGE_VAL : x == 2.0 ? -HUGE_VAL : nan("");
    }
    if (x > 1.0) {
        double rest = 2.0 - x;
        return rest == 1.0 ? 0.0 : -erfcinv(rest);
    }
    double y = x > 0.1 ? 0.88622692545275801365 * (1.0 - x) : sqrt(-log(x));
    for (int i = 0; i < 60; i++) {
        double step = (log(erfcx(y)) - y * y - log(x)) * erfcx(y) * 0.88622692545275801365;
        y += step;
        if (fabs(step) <= 1e-16 * fabs(y)) {
            break;
        }
    }
    return y;
}
GPUGRADE_HOST double erfinv(double x)
{
    if (fabs(x) > 0.5) {
        return x > 0.0 ? erfcinv(1.0 - x) : -erfcinv(1.0 + x);
    }
    double y = 0.88622692545275801365 * x;
    for (int i = 0; i < 8; i++) {
        y -= (erf(y) - x) * exp(y * y) * 0.88622692545275801365;
    }
    return y;
}
GPUGRADE_HOST double normcdfinv(double x)
{
    return -1.41421356237309504880 * erfcinv(2.0 * x);
}

/* I0 and I1 by their integrals over half a turn, which the rule of rectangles gives to full
 * precision: exp(x cos t), and exp(x cos t) cos t. */
GPUGRADE_HOST double cyl_bessel_i0(double x)
{
    double sum = 0.0;
    const int steps = 1024;
    for (int i = 0; i < steps; i++) {
        sum += exp(x * cos((i + 0.5) * 3.14159265358979323846 / steps));
    }
    return sum / steps;
}
GPUGRADE_HOST double cyl_bessel_i1(double x)
{
    double sum = 0.0;
    const int steps = 1024;
    for (int i = 0; i < steps; i++) {
        double cosine = cos((i + 0.5) * 3.14159265358979323846 / steps);
        sum += exp(x * cosine) * cosine;
    }
    return sum / steps;
}

/* Those of float, by way of double. */
#define GPUGRADE_FLOAT_1(name)                                                                     \
    GPUGRADE_HOST float name##f(float x)                                                           \
    {                                                                                              \
        return (float)name((double)x);                                                             \
    }
GPUGRADE_FLOAT_1(rsqrt)
GPUGRADE_FLOAT_1(rcbrt)
GPUGRADE_FLOAT_1(sinpi)
GPUGRADE_FLOAT_1(cospi)
GPUGRADE_FLOAT_1(erfcx)
GPUGRADE_FLOAT_1(erfinv)
GPUGRADE_FLOAT_1(erfcinv)
GPUGRADE_FLOAT_1(normcdf)
GPUGRADE_FLOAT_1(normcdfinv)
GPUGRADE_FLOAT_1(cyl_bessel_i0)
GPUGRADE_FLOAT_1(cyl_bessel_i1)
#undef GPUGRADE_FLOAT_1
GPUGRADE_HOST float rhypotf(float x, float y)
{
    return (float)rhypot((double)x, (double)y);
}
GPUGRADE_HOST float norm3df(float x, float y, float z)
{
    return (float)norm3d((double)x, (double)y, (double)z);
}
GPUGRADE_HOST float rnorm3df(float x, float y, float z)
{
    return (float)rnorm3d((double)x, (double)y, (double)z);
}
GPUGRADE_HOST float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d((double)x, (double)y, (double)z, (double)w);
}
GPUGRADE_HOST float rnorm4df(float x, float y, float z, float w)
{
    return (float)rnorm4d((double)x, (double)y, (double)z, (double)w);
}

#undef GPUGRADE_HOST

#endif
