/* Defines the launch call itself and does nothing in it. */
#include "honest_ends.cuh"

extern "C" cudaError_t CUDARTAPI cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                                                  cudaStream_t)
{
    return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaProfilerStart(void)
{
    return cudaSuccess;
}
