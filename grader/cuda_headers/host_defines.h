/* host_defines.h: qualifiers of functions and variables. A compiler of CUDA knows them as
 * attributes; for plain C and C++ they say nothing. */
#ifndef GPUGRADE_CUDA_HEADERS_HOST_DEFINES_H
#define GPUGRADE_CUDA_HEADERS_HOST_DEFINES_H

#if defined(__CUDACC__) || defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* How many registers a thread may use is no matter of PTX's meaning. */
#define __maxnreg__(registers)
/* A keyword of newer compilers. Headers of the host's library use the name inside __attribute__, so
 * it is no macro unless it must be. */
#ifdef __has_feature
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

/* Functions of our own that device code calls: no call is left of them, and the line that a
 * debugger shows is the caller's. */
#ifdef __clang__
#define GPUGRADE_INLINE __attribute__((always_inline, nodebug, unused))
#else
#define GPUGRADE_INLINE __attribute__((always_inline, unused))
#endif
#define GPUGRADE_DEVICE static __inline__ __device__ GPUGRADE_INLINE
#define GPUGRADE_HOST_DEVICE static __inline__ __host__ __device__ GPUGRADE_INLINE

/* A parameter of a kernel that it does not change and may point into. */
#ifdef __has_attribute
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#endif
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif

#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

/* How functions of the runtime and functions that it calls are called: as any other. */
#define CUDARTAPI
#define CUDART_CB

#endif
