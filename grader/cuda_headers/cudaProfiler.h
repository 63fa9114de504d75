/* cudaProfiler.h: where a profiler begins and ends, by the driver. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDAPROFILER_H
#define GPUGRADE_CUDA_HEADERS_CUDAPROFILER_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
