/* sm_20_atomic_functions.h: names that cuda_runtime.h declares already. */
#ifndef GPUGRADE_CUDA_HEADERS_SM_20_ATOMIC_FUNCTIONS_H
#define GPUGRADE_CUDA_HEADERS_SM_20_ATOMIC_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
