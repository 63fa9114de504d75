/* cuda_profiler_api.h: which part of a program a profiler watches. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_PROFILER_API_H
#define GPUGRADE_CUDA_HEADERS_CUDA_PROFILER_API_H

#include <driver_types.h>

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif

#endif
