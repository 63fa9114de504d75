/* device_functions.h: intrinsics of device code, which cuda_runtime.h declares already. */
#ifndef GPUGRADE_CUDA_HEADERS_DEVICE_FUNCTIONS_H
#define GPUGRADE_CUDA_HEADERS_DEVICE_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
