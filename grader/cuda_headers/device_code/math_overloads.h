/* math_overloads.h: math functions for host and device under names that C++ does not overload: min
 * and max of mixed types, rsqrt(float) and its like. */
#ifndef GPUGRADE_CUDA_HEADERS_MATH_OVERLOADS_H
#define GPUGRADE_CUDA_HEADERS_MATH_OVERLOADS_H

/* MIN_MAX(result, prefix, type of x, type of y): min and max are prefix##min and prefix##max. Two
 * of type int have their own on each side. */
#define GPUGRADE_MIN_MAX(result, smaller, larger, left, right)                                     \
    GPUGRADE_HOST_DEVICE result min(left x, right y)                                               \
    {                                                                                              \
        return (result)smaller((result)x, (result)y);                                              \
    }                                                                                              \
    GPUGRADE_HOST_DEVICE result max(left x, right y)                                               \
    {                                                                                              \
        return (result)larger((result)x, (result)y);                                               \
    }
#define GPUGRADE_MIN_MAX_UNSIGNED(type, with_sign, smaller, larger)                                \
    GPUGRADE_MIN_MAX(type, smaller, larger, type, type)                                            \
    GPUGRADE_MIN_MAX(type, smaller, larger, with_sign, type)                                       \
    GPUGRADE_MIN_MAX(type, smaller, larger, type, with_sign)

GPUGRADE_MIN_MAX_UNSIGNED(unsigned, int, ::umin, ::umax)
GPUGRADE_MIN_MAX_UNSIGNED(unsigned long, long, ::ullmin, ::ullmax)
GPUGRADE_MIN_MAX_UNSIGNED(unsigned long long, long long, ::ullmin, ::ullmax)
GPUGRADE_MIN_MAX(long, ::llmin, ::llmax, long, long)
GPUGRADE_MIN_MAX(long long, ::llmin, ::llmax, long long, long long)
GPUGRADE_MIN_MAX(float, ::fminf, ::fmaxf, float, float)
GPUGRADE_MIN_MAX(double, ::fmin, ::fmax, double, double)
GPUGRADE_MIN_MAX(double, ::fmin, ::fmax, float, double)
GPUGRADE_MIN_MAX(double, ::fmin, ::fmax, double, float)
#undef GPUGRADE_MIN_MAX_UNSIGNED
#undef GPUGRADE_MIN_MAX

#define GPUGRADE_FLOAT_1(name)                                                                     \
    GPUGRADE_HOST_DEVICE float name(float x)                                                       \
    {                                                                                              \
        return ::name##f(x);                                                                       \
    }
GPUGRADE_FLOAT_1(rsqrt)
GPUGRADE_FLOAT_1(rcbrt)
GPUGRADE_FLOAT_1(sinpi)
GPUGRADE_FLOAT_1(cospi)
GPUGRADE_FLOAT_1(erfinv)
GPUGRADE_FLOAT_1(erfcinv)
GPUGRADE_FLOAT_1(erfcx)
GPUGRADE_FLOAT_1(normcdf)
GPUGRADE_FLOAT_1(normcdfinv)
GPUGRADE_FLOAT_1(exp10)
GPUGRADE_FLOAT_1(j0)
GPUGRADE_FLOAT_1(j1)
GPUGRADE_FLOAT_1(y0)
GPUGRADE_FLOAT_1(y1)
GPUGRADE_FLOAT_1(cyl_bessel_i0)
GPUGRADE_FLOAT_1(cyl_bessel_i1)
#undef GPUGRADE_FLOAT_1

GPUGRADE_HOST_DEVICE float jn(int order, float x)
{
    return ::jnf(order, x);
}
GPUGRADE_HOST_DEVICE float yn(int order, float x)
{
    return ::ynf(order, x);
}
GPUGRADE_HOST_DEVICE float fdivide(float x, float y)
{
    return ::fdividef(x, y);
}
GPUGRADE_HOST_DEVICE void sincos(float x, float *sine, float *cosine)
{
    ::sincosf(x, sine, cosine);
}
GPUGRADE_HOST_DEVICE void sincospi(float x, float *sine, float *cosine)
{
    ::sincospif(x, sine, cosine);
}

#endif
