/* Sixteen partial results, few enough bytes for most bounds, are joined on the host. */
#include "reduction.h"

enum { BLOCKS = 16, BLOCK = 256 };

template <typename T, typename JOIN>
__global__ void joinStripes(const T *in, T *out, int n, T none, JOIN join)
{
    __shared__ T part[BLOCK];
    T joined = none;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCKS * BLOCK) {
        joined = join(joined, in[i]);
    }
    part[threadIdx.x] = joined;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + half]);
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = part[0];
    }
}

struct sum {
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

struct largest {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <typename T, typename JOIN> static void reduce(const T *d_in, T *d_out, int n, T none)
{
    T *parts = nullptr, joined = none, on_host[BLOCKS];
    cudaMalloc(&parts, sizeof on_host);
    joinStripes<<<BLOCKS, BLOCK>>>(d_in, parts, n, none, JOIN());
    cudaMemcpy(on_host, parts, sizeof on_host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BLOCKS; i++) {
        joined = JOIN()(joined, on_host[i]);
    }
    cudaMemcpy(d_out, &joined, sizeof joined, cudaMemcpyHostToDevice);
    cudaFree(parts);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    reduce<float, sum>(d_in, d_out, n, 0.0f);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    reduce<int, largest>(d_in, d_out, n, -2147483647 - 1);
}
