// The reductions of Mark Harris' slides.
#include <stdio.h>
#include <stdlib.h>
template <unsigned int blockSize> __device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    if (blockSize >= 64) { sdata[tid] += sdata[tid + 32]; __syncwarp(); }
    if (blockSize >= 32) { sdata[tid] += sdata[tid + 16]; __syncwarp(); }
    if (blockSize >= 16) { sdata[tid] += sdata[tid + 8]; __syncwarp(); }
    if (blockSize >= 8) { sdata[tid] += sdata[tid + 4]; __syncwarp(); }
    if (blockSize >= 4) { sdata[tid] += sdata[tid + 2]; __syncwarp(); }
    if (blockSize >= 2) { sdata[tid] += sdata[tid + 1]; __syncwarp(); }
}
__global__ void reduce0(int *g_idata, int *g_odata)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) { if (tid % (2 * s) == 0) { sdata[tid] += sdata[tid + s]; } __syncthreads(); }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <unsigned int blockSize> __global__ void reduce6(int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) { sdata[tid] += g_idata[i] + (i + blockSize < n ? g_idata[i + blockSize] : 0); i += gridSize; }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <class T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
template <> struct SharedMemory<double> { __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; } };
template <class T> __global__ void reduceT(T *in, T *out) { T *s = SharedMemory<T>(); s[threadIdx.x] = in[threadIdx.x]; __syncthreads(); if (threadIdx.x == 0) { T t = 0; for (int i = 0; i < blockDim.x; i++) t += s[i]; *out = t; } }
int main(int argc, char **argv)
{
    const int n = 4096; int *h = (int *)malloc(n * 4), *d, *o, part[64], threads = 128, blocks = 8;
    for (int i = 0; i < n; i++) h[i] = i % 10;
    cudaMalloc(&d, n * 4); cudaMalloc(&o, 64 * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(int) : threads * sizeof(int);
    reduce0<<<n / threads, threads, smemSize>>>(d, o);
    cudaMemcpy(part, o, n / threads * 4, cudaMemcpyDeviceToHost); int s = 0; for (int i = 0; i < n / threads; i++) s += part[i]; printf("%d\n", s);
    switch (threads) {
    case 512: reduce6<512><<<blocks, 512, smemSize>>>(d, o, n); break;
    case 256: reduce6<256><<<blocks, 256, smemSize>>>(d, o, n); break;
    case 128: reduce6<128><<<blocks, 128, smemSize>>>(d, o, n); break;
    case 64: reduce6<64><<<blocks, 64, smemSize>>>(d, o, n); break;
    }
    cudaMemcpy(part, o, blocks * 4, cudaMemcpyDeviceToHost); s = 0; for (int i = 0; i < blocks; i++) s += part[i]; printf("%d\n", s);
    float *f; double *g; cudaMallocManaged(&f, 65 * 4); cudaMallocManaged(&g, 65 * 8); for (int i = 0; i < 64; i++) { f[i] = i; g[i] = i * .5; }
    reduceT<<<1, 64, 64 * sizeof(float)>>>(f, f + 64); reduceT<double><<<1, 64, 64 * sizeof(double)>>>(g, g + 64); cudaDeviceSynchronize(); printf("%g %g\n", f[64], g[64]);
}

/* exit status 1, findings: warp_race
18420
18420
2016 1008
*/
