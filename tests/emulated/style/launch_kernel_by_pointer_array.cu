#include <cstdio>
#include <cuda_runtime.h>
template <typename T> __global__ void axpy(T a, const T *x, T *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }
__global__ void fill(float *p, float v, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = v; }
extern "C" __global__ void dynamic_kernel(int *o) { extern __shared__ int s[]; s[threadIdx.x] = threadIdx.x; __syncthreads(); o[threadIdx.x] = s[31 - threadIdx.x]; }
int main() {
    int n = 100; float a = 2, v = 3, *x, *y, h[100]; int *o, g[32];
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&o, 128);
    void *args1[] = {&x, &v, &n};
    cudaLaunchKernel((void *)fill, dim3(1), dim3(32), args1, 0, 0);
    void *args2[] = {(void *)&y, (void *)&a, (void *)&n};
    cudaLaunchKernel((const void *)&fill, 1, 32, args2, 0, NULL);
    void *args3[4] = {&a, &x, &y, &n};
    cudaError_t e = cudaLaunchKernel(axpy<float>, dim3(4, 1, 1), dim3(32), args3);
    printf("%s\n", cudaGetErrorString(e));
    void *args4[] = {&o};
    cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    cudaLaunchKernel((void *)dynamic_kernel, dim3(1), dim3(32), &args4[0], 32 * sizeof(int), cudaStreamPerThread);
    cudaDeviceSynchronize();
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(g, o, sizeof g, cudaMemcpyDeviceToHost);
    printf("%g %g %d\n", h[0], h[99], g[0]);
    void (*pointer)(float *, float, int) = fill; pointer<<<1, 1>>>(y, 1.f, 1);
    cudaLaunchConfig_t config = {}; config.gridDim = dim3(1); config.blockDim = dim3(8);
    cudaLaunchKernelEx(&config, fill, y, 7.0f, 2);
    cudaMemcpy(h, y, 12, cudaMemcpyDeviceToHost); printf("%g %g %g\n", h[0], h[1], h[2]);
    return 0;
}
/* exit status 0, findings: none
no error
8 8 31
7 7 8
*/
