/* A tree in each block, one element a thread; then the same over the results of the blocks. */
#include "reduction.h"

#include <climits>

enum { BLOCK = 256 };

struct sum {
    static __device__ float none()
    {
        return 0.0f;
    }
    static __device__ float join(float a, float b)
    {
        return a + b;
    }
};

struct largest {
    static __device__ int none()
    {
        return INT_MIN;
    }
    static __device__ int join(int a, int b)
    {
        return max(a, b);
    }
};

template <typename T, typename OF> __global__ void reduceBlocks(const T *in, T *out, int n)
{
    __shared__ T part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : OF::none();
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            part[threadIdx.x] = OF::join(part[threadIdx.x], part[threadIdx.x + half]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = part[0];
    }
}

template <typename T, typename OF> static void reduce(const T *in, T *d_out, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    if (blocks == 1) {
        reduceBlocks<T, OF><<<1, BLOCK>>>(in, d_out, n);
        return;
    }
    T *parts = nullptr;
    cudaMalloc(&parts, blocks * sizeof(T));
    reduceBlocks<T, OF><<<blocks, BLOCK>>>(in, parts, n);
    reduce<T, OF>(parts, d_out, blocks);
    cudaFree(parts);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    reduce<float, sum>(d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    reduce<int, largest>(d_in, d_out, n);
}
