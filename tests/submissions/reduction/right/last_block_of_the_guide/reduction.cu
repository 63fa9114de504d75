/* One launch: the last block of the CUDA guide, with a fence before the ticket and none after it. */
#include "reduction.h"
#include <cuda_runtime.h>
#include <limits.h>
__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;
template <class T> __device__ T join(T a, T b);
template <> __device__ float join(float a, float b) { return a + b; }
template <> __device__ int join(int a, int b) { return max(a, b); }
template <class T> __device__ T blockJoin(T v, T *sdata)
{
    unsigned tid = threadIdx.x;
    sdata[tid] = v;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] = join(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }
    return sdata[0];
}
template <class T> __global__ void once(const T *in, int n, T first, volatile T *result, T *out)
{
    __shared__ T sdata[256];
    T v = first;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v = join(v, in[i]);
    v = blockJoin(v, sdata);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = v;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();
    if (isLastBlockDone) {
        T w = first;
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) w = join(w, (T)result[i]);
        w = blockJoin(w, sdata);
        if (threadIdx.x == 0) { *out = w; count = 0; }
    }
}
void reduceSum(const float *d_in, float *d_out, int n)
{
    int blocks = min((n + 255) / 256, 128);
    float *r; cudaMalloc(&r, blocks * sizeof(float));
    once<float><<<blocks, 256>>>(d_in, n, 0.0f, r, d_out);
    cudaFree(r);
}
void reduceMax(const int *d_in, int *d_out, int n)
{
    int blocks = min((n + 255) / 256, 128);
    int *r; cudaMalloc((void **)&r, blocks * sizeof(int));
    once<int><<<blocks, 256>>>(d_in, n, INT_MIN, r, d_out);
    cudaFree(r);
}
