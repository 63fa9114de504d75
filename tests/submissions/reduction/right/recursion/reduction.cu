#include "reduction.h"

#include <climits>

/* Unrolled templates, two elements a thread when loading, and recursion on the host. */
template <int Size> __device__ void addHalves(volatile float *s, int t)
{
    if constexpr (Size > 1) {
        if (t < Size / 2)
            s[t] = s[t] + s[t + Size / 2];
        __syncthreads();
        addHalves<Size / 2>(s, t);
    }
}

template <int Threads> __global__ void sumPairs(const float *in, float *out, int n)
{
    extern __shared__ float s[];
    const int t = threadIdx.x, i = blockIdx.x * 2 * Threads + t;
    float mine = 0.0f;
    if (i < n)
        mine = in[i];
    if (i + Threads < n)
        mine += in[i + Threads];
    s[t] = mine;
    __syncthreads();
    addHalves<Threads>(s, t);
    if (t == 0)
        out[blockIdx.x] = s[0];
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    constexpr int threads = 64;
    const int blocks = (n + 2 * threads - 1) / (2 * threads);
    if (blocks == 1) {
        sumPairs<threads><<<1, threads, threads * sizeof(float)>>>(d_in, d_out, n);
        return;
    }
    float *d_partial;
    cudaMalloc(&d_partial, blocks * sizeof(float));
    sumPairs<threads><<<blocks, threads, threads * sizeof(float)>>>(d_in, d_partial, n);
    reduceSum(d_partial, d_out, blocks);
    cudaFree(d_partial);
}

__device__ int largestOfWarp(int value)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value = max(value, __shfl_xor_sync(~0u, value, lanes));
    return value;
}

/* A warp for each 32 elements, without shared memory. */
__global__ void maxWarps(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int largest = largestOfWarp(i < n ? in[i] : INT_MIN);
    if (threadIdx.x % 32 == 0 && i < n)
        out[i / 32] = largest;
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    const int left = (n + 31) / 32;
    if (left == 1) {
        maxWarps<<<1, 32>>>(d_in, d_out, n);
        return;
    }
    int *d_partial;
    cudaMalloc(&d_partial, left * sizeof(int));
    maxWarps<<<(n + 255) / 256, 256>>>(d_in, d_partial, n);
    reduceMax(d_partial, d_out, left);
    cudaFree(d_partial);
}
