#include "reduction.h"

#include <climits>

/* Few blocks that stride over the input; warps shuffle, and each block adds to the result once. */
__inline__ __device__ float warpSum(float value)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__inline__ __device__ int warpMax(int value)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        value = max(value, __shfl_down_sync(0xffffffff, value, offset));
    return value;
}

__global__ void sumKernel(const float *in, float *out, int n)
{
    __shared__ float warps[32];
    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += in[i];
    value = warpSum(value);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
        value = warpSum(value);
        if (lane == 0)
            atomicAdd(out, value);
    }
}

__global__ void maxKernel(const int *in, int *out, int n)
{
    __shared__ int warps[32];
    int value = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value = max(value, in[i]);
    value = warpMax(value);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warpMax(lane < blockDim.x / 32 ? warps[lane] : INT_MIN);
        if (lane == 0)
            atomicMax(out, value);
    }
}

__global__ void fill(int *out, int value)
{
    *out = value;
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    const int threads = 512, blocks = min((n + threads - 1) / threads, 1024);
    cudaMemset(d_out, 0, sizeof(float));
    sumKernel<<<blocks, threads>>>(d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    const int threads = 512, blocks = min((n + threads - 1) / threads, 1024);
    fill<<<1, 1>>>(d_out, INT_MIN);
    maxKernel<<<blocks, threads>>>(d_in, d_out, n);
}
