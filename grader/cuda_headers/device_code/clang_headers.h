/* clang_headers.h: what clang itself knows of device code: threadIdx and its like, the math and
 * the intrinsics that are calls of libdevice. Their functions are marked as ours are, so that the
 * line of an instruction is the student's. */
#ifndef GPUGRADE_CUDA_HEADERS_CLANG_HEADERS_H
#define GPUGRADE_CUDA_HEADERS_CLANG_HEADERS_H

#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <device_code/libdevice_inline.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>

#pragma pop_macro("__device__")

/* A built-in variable as a vector. */
#define GPUGRADE_AS_VECTOR(variable)                                                               \
    __device__ __inline__ GPUGRADE_INLINE __cuda_builtin_##variable##_t::operator dim3() const     \
    {                                                                                              \
        return dim3(x, y, z);                                                                      \
    }                                                                                              \
    __device__ __inline__ GPUGRADE_INLINE __cuda_builtin_##variable##_t::operator uint3() const    \
    {                                                                                              \
        return uint3{x, y, z};                                                                     \
    }
GPUGRADE_AS_VECTOR(threadIdx)
GPUGRADE_AS_VECTOR(blockIdx)
GPUGRADE_AS_VECTOR(blockDim)
GPUGRADE_AS_VECTOR(gridDim)
#undef GPUGRADE_AS_VECTOR

#endif
