/* complex_vectors.h: <cuComplex.h>: complex numbers of float and double as vectors of two. */
#ifndef GPUGRADE_CUDA_HEADERS_COMPLEX_VECTORS_H
#define GPUGRADE_CUDA_HEADERS_COMPLEX_VECTORS_H

#include <math.h>
#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define GPUGRADE_COMPLEX(type, name, parameters)                                                   \
    static __inline__ __attribute__((unused)) __host__ __device__ type name parameters

/* The functions of one precision: COMPLEX_OF(number, complex, suffix of names, of math functions).
 * A quotient is scaled by the divisor's size, which could overflow when it is squared. */
#define GPUGRADE_COMPLEX_OF(number, complex, f, m)                                                 \
    GPUGRADE_COMPLEX(complex, make_##complex, (number x, number y))                                \
    {                                                                                              \
        complex z;                                                                                 \
        z.x = x;                                                                                   \
        z.y = y;                                                                                   \
        return z;                                                                                  \
    }                                                                                              \
    GPUGRADE_COMPLEX(number, cuCreal##f, (complex z))                                              \
    {                                                                                              \
        return z.x;                                                                                \
    }                                                                                              \
    GPUGRADE_COMPLEX(number, cuCimag##f, (complex z))                                              \
    {                                                                                              \
        return z.y;                                                                                \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuConj##f, (complex z))                                              \
    {                                                                                              \
        return make_##complex(z.x, -z.y);                                                          \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuCadd##f, (complex z, complex w))                                   \
    {                                                                                              \
        return make_##complex(z.x + w.x, z.y + w.y);                                               \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuCsub##f, (complex z, complex w))                                   \
    {                                                                                              \
        return make_##complex(z.x - w.x, z.y - w.y);                                               \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuCmul##f, (complex z, complex w))                                   \
    {                                                                                              \
        return make_##complex(z.x * w.x - z.y * w.y, z.x * w.y + z.y * w.x);                       \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuCdiv##f, (complex z, complex w))                                   \
    {                                                                                              \
        const number size = fabs##m(w.x) + fabs##m(w.y);                                           \
        const number x = w.x / size, y = w.y / size;                                               \
        const number square = (x * x + y * y) * size;                                              \
        return make_##complex((z.x * x + z.y * y) / square, (z.y * x - z.x * y) / square);         \
    }                                                                                              \
    GPUGRADE_COMPLEX(number, cuCabs##f, (complex z))                                               \
    {                                                                                              \
        return hypot##m(z.x, z.y);                                                                 \
    }                                                                                              \
    GPUGRADE_COMPLEX(complex, cuCfma##f, (complex z, complex w, complex v))                        \
    {                                                                                              \
        return make_##complex(z.x * w.x + v.x - z.y * w.y, z.x * w.y + v.y + z.y * w.x);           \
    }
GPUGRADE_COMPLEX_OF(float, cuFloatComplex, f, f)
GPUGRADE_COMPLEX_OF(double, cuDoubleComplex, , )
#undef GPUGRADE_COMPLEX_OF

GPUGRADE_COMPLEX(cuComplex, make_cuComplex, (float x, float y))
{
    return make_cuFloatComplex(x, y);
}
GPUGRADE_COMPLEX(cuDoubleComplex, cuComplexFloatToDouble, (cuFloatComplex z))
{
    return make_cuDoubleComplex((double)z.x, (double)z.y);
}
GPUGRADE_COMPLEX(cuFloatComplex, cuComplexDoubleToFloat, (cuDoubleComplex z))
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef GPUGRADE_COMPLEX

#endif
