/* clang_headers.h: what clang itself knows of device code: the math and the intrinsics that are
 * calls of libdevice. Their functions are marked as ours are, so that the line of an instruction is
 * the student's. */
#ifndef GPUGRADE_CUDA_HEADERS_CLANG_HEADERS_H
#define GPUGRADE_CUDA_HEADERS_CLANG_HEADERS_H

#include <device_code/builtin_variables.h>

#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))

/* For one version of the toolkit these two call functions of libdevice on words of two or four
 * lanes, which are defined here; for others they have instructions that GPUs only emulate. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9000
#include <__clang_cuda_libdevice_declares.h>
#include <device_code/lane_intrinsics.h>
#include <device_code/libdevice_inline.h>

#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>

/* clang declares these for float, which without a definition are calls of nothing: in NVIDIA's
 * headers they are defined. */
#define GPUGRADE_FLOAT(type, name, parameters, arguments)                                          \
    static __device__ __inline__ __attribute__((always_inline)) type name parameters               \
    {                                                                                              \
        return ::name##f arguments;                                                                \
    }
#define GPUGRADE_FLOAT_1(type, name) GPUGRADE_FLOAT(type, name, (float x), (x))
#define GPUGRADE_FLOAT_2(name) GPUGRADE_FLOAT(float, name, (float x, float y), (x, y))
GPUGRADE_FLOAT_1(float, acosh)
GPUGRADE_FLOAT_1(float, asinh)
GPUGRADE_FLOAT_1(float, atanh)
GPUGRADE_FLOAT_1(float, cbrt)
GPUGRADE_FLOAT_1(float, erf)
GPUGRADE_FLOAT_1(float, erfc)
GPUGRADE_FLOAT_1(float, exp2)
GPUGRADE_FLOAT_1(float, expm1)
GPUGRADE_FLOAT_1(float, lgamma)
GPUGRADE_FLOAT_1(float, log1p)
GPUGRADE_FLOAT_1(float, log2)
GPUGRADE_FLOAT_1(float, logb)
GPUGRADE_FLOAT_1(float, nearbyint)
GPUGRADE_FLOAT_1(float, rint)
GPUGRADE_FLOAT_1(float, round)
GPUGRADE_FLOAT_1(float, tgamma)
GPUGRADE_FLOAT_1(float, trunc)
GPUGRADE_FLOAT_1(int, ilogb)
GPUGRADE_FLOAT_1(long, lrint)
GPUGRADE_FLOAT_1(long, lround)
GPUGRADE_FLOAT_1(long long, llrint)
GPUGRADE_FLOAT_1(long long, llround)
GPUGRADE_FLOAT_2(copysign)
GPUGRADE_FLOAT_2(fdim)
GPUGRADE_FLOAT_2(fmax)
GPUGRADE_FLOAT_2(fmin)
GPUGRADE_FLOAT_2(hypot)
GPUGRADE_FLOAT_2(nextafter)
GPUGRADE_FLOAT_2(remainder)
GPUGRADE_FLOAT(float, fma, (float x, float y, float z), (x, y, z))
GPUGRADE_FLOAT(float, scalbn, (float x, int exponent), (x, exponent))
GPUGRADE_FLOAT(float, scalbln, (float x, long exponent), (x, exponent))
#undef GPUGRADE_FLOAT_2
#undef GPUGRADE_FLOAT_1
#undef GPUGRADE_FLOAT

#pragma pop_macro("__device__")

#endif
