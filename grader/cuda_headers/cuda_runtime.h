/* cuda_runtime.h: what CUDA C++ has without an include: the runtime's calls, vector
 * types and, for clang's CUDA, all that device code may use.
 *
 * clang has to include it before each source, as nvcc does. Of the toolkit's own headers none is
 * needed: clang brings built-in variables and the math of device code, device_code/ the rest. Like
 * nvcc's it also brings the C library's headers, so that a program may print without <cstdio>.
 * C and C++ get the runtime alone. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_RUNTIME_H
#define GPUGRADE_CUDA_HEADERS_CUDA_RUNTIME_H

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
#include <host_defines.h>

/* Before the host's library: clang declares the math of device code, which would otherwise be that
 * of the host where its functions are constexpr. */
#ifdef __CUDA__
#include <__clang_cuda_math_forward_declares.h>
#endif

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <utility>
#endif

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <vector_functions.h>

#ifdef __cplusplus
#include <device_code/runtime_templates.h>
#endif

#ifdef __CUDA__
#include <device_code/device_runtime.h>

#include <device_code/clang_headers.h>

#include <device_code/host_math.h>
#include <device_code/math_overloads.h>

#include <device_code/cached_loads.h>
#include <device_code/device_atomics.h>
#include <device_code/integer_intrinsics.h>
#include <device_code/managed_variables.h>
#include <device_code/surface_accesses.h>
#include <device_code/texture_reads.h>
#include <device_code/warp_intrinsics.h>
#endif

#endif
