/* cuComplex.h: complex numbers for C and CUDA C++. */
#ifndef GPUGRADE_CUDA_HEADERS_CUCOMPLEX_H
#define GPUGRADE_CUDA_HEADERS_CUCOMPLEX_H

#include <cuda_runtime_api.h>
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define GPUGRADE_COMPLEX static __inline__ __host__ __device__

GPUGRADE_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y)
{
    cuFloatComplex z;
    z.x = x;
    z.y = y;
    return z;
}
GPUGRADE_COMPLEX float cuCrealf(cuFloatComplex z)
{
    return z.x;
}
GPUGRADE_COMPLEX float cuCimagf(cuFloatComplex z)
{
    return z.y;
}
GPUGRADE_COMPLEX cuFloatComplex cuConjf(cuFloatComplex z)
{
    return make_cuFloatComplex(z.x, -z.y);
}
GPUGRADE_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
GPUGRADE_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
GPUGRADE_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b)
{
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
GPUGRADE_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b)
{
    const float scale = 1 / (fabsf(b.x) + fabsf(b.y));
    const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    const float whole = 1 / (bx * bx + by * by);
    return make_cuFloatComplex((ax * bx + ay * by) * whole, (ay * bx - ax * by) * whole);
}
GPUGRADE_COMPLEX float cuCabsf(cuFloatComplex z)
{
    return hypotf(z.x, z.y);
}
GPUGRADE_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c)
{
    return cuCaddf(cuCmulf(a, b), c);
}

GPUGRADE_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    cuDoubleComplex z;
    z.x = x;
    z.y = y;
    return z;
}
GPUGRADE_COMPLEX double cuCreal(cuDoubleComplex z)
{
    return z.x;
}
GPUGRADE_COMPLEX double cuCimag(cuDoubleComplex z)
{
    return z.y;
}
GPUGRADE_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex z)
{
    return make_cuDoubleComplex(z.x, -z.y);
}
GPUGRADE_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
GPUGRADE_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
GPUGRADE_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b)
{
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
GPUGRADE_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b)
{
    const double scale = 1 / (fabs(b.x) + fabs(b.y));
    const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    const double whole = 1 / (bx * bx + by * by);
    return make_cuDoubleComplex((ax * bx + ay * by) * whole, (ay * bx - ax * by) * whole);
}
GPUGRADE_COMPLEX double cuCabs(cuDoubleComplex z)
{
    return hypot(z.x, z.y);
}
GPUGRADE_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return cuCadd(cuCmul(a, b), c);
}

GPUGRADE_COMPLEX cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
GPUGRADE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}
GPUGRADE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef GPUGRADE_COMPLEX

#endif
