/* math_functions.h: names that cuda_runtime.h declares already. */
#ifndef GPUGRADE_CUDA_HEADERS_MATH_FUNCTIONS_H
#define GPUGRADE_CUDA_HEADERS_MATH_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
