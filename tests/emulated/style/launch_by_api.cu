#include <cuda_runtime.h>
#include <stdio.h>
__global__ void k(int *p, int a, double b, char c) { p[threadIdx.x] = a + (int)b + c; }
struct Args { int *p; int n; float f[3]; };
__global__ void by_struct(const Args args) { if (threadIdx.x < args.n) args.p[threadIdx.x] += (int)args.f[threadIdx.x % 3]; }
__global__ void by_constant(const __grid_constant__ Args args) { args.p[0] += args.n; }
__device__ volatile int spin; __device__ int array2d[3][4];
int main()
{
    int *p; cudaMallocManaged(&p, 32); int a = 5; double b = 2.5; char c = 1;
    void *args[] = {(void *)&p, &a, &b, &c};
    cudaLaunchKernel((const void *)k, dim3(1), dim3(8), args, 0, NULL);
    Args s = {p, 4, {10, 20, 30}}; by_struct<<<1, 8>>>(s); by_constant<<<1, 1>>>(s);
    cudaLaunchConfig_t cfg = {}; cfg.gridDim = 1; cfg.blockDim = dim3(8); cfg.dynamicSmemBytes = 0; cfg.stream = 0;
    cudaLaunchKernelEx(&cfg, by_struct, s);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++) printf("%d ", p[i]);
    int local[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}; cudaMemcpyToSymbol(array2d, local, sizeof local); int back[12]; cudaMemcpyFromSymbol(back, array2d, sizeof back);
    cudaPointerAttributes attr; cudaPointerGetAttributes(&attr, p);
    printf("%d %d %s\n", back[6], attr.type == cudaMemoryTypeManaged, cudaGetErrorName(cudaErrorInvalidValue));
    cudaFree(p); return 0;
}

/* exit status 0, findings: none
32 48 68 28 8 8 8 8 7 1 cudaErrorInvalidValue
*/
