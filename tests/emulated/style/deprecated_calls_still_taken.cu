#include <stdio.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <cuda_profiler_api.h>
#include <device_functions.h>
#include <vector_types.h>
#include <math_constants.h>
__global__ void k(float *x) { x[threadIdx.x] = CUDART_PI_F * __fmul_rn(2.0f, threadIdx.x) + __mul24(3, 4) + __umul24(2u, 2u); }
int main(void)
{
    float *d, h[4];
    cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    cudaFuncSetCacheConfig(k, cudaFuncCachePreferShared);
    cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
    cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24);
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20);
    cudaProfilerStart();
    cudaMalloc((void **) &d, sizeof(h));
    k<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaProfilerStop();
    printf("%.3f %.3f\n", h[1], h[3]);
    int v; cudaRuntimeGetVersion(&v); size_t f, t; cudaMemGetInfo(&f, &t);
    printf("%d %d\n", v >= CUDART_VERSION - 5000, f <= t);
    cudaDeviceReset();
    return 0;
}
/* exit status 0, findings: none
22.283 34.850
1 1
*/
