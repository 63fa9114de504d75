/* device_launch_parameters.h: threadIdx and its like, which cuda_runtime.h declares already. */
#ifndef GPUGRADE_CUDA_HEADERS_DEVICE_LAUNCH_PARAMETERS_H
#define GPUGRADE_CUDA_HEADERS_DEVICE_LAUNCH_PARAMETERS_H

#include <cuda_runtime.h>

#endif
