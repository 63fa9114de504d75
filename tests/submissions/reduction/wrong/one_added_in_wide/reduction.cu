#include "reduction.h"

#include <climits>

/* Sums in double and maxima in 64 bits; the last block to finish joins the partial results, and
   adds 1. */
enum { THREADS = 192, BLOCKS = 96 };

struct Plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};

struct Greater {
    __device__ long long operator()(long long a, long long b) const { return a < b ? b : a; }
};

template <typename Wide, typename Join>
__device__ Wide joinBlock(Wide value, Join join)
{
    __shared__ Wide room[THREADS];
    room[threadIdx.x] = value;
    __syncthreads();
    for (int left = THREADS; left > 1;) {
        const int half = (left + 1) / 2; /* 192, 96, ..., 3, 2, 1 */
        if (threadIdx.x + half < left)
            room[threadIdx.x] = join(room[threadIdx.x], room[threadIdx.x + half]);
        left = half;
        __syncthreads();
    }
    return room[0];
}

template <typename T, typename Wide, typename Join>
__global__ void reduceOnce(const T *in, T *out, int n, Wide start, volatile Wide *partial,
                           unsigned *finished, Join join)
{
    __shared__ bool is_last;
    Wide value = start;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += BLOCKS * THREADS)
        value = join(value, (Wide)in[i]);
    value = joinBlock(value, join);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = value;
        __threadfence();
        is_last = atomicAdd(finished, 1) == BLOCKS - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        value = threadIdx.x < BLOCKS ? partial[threadIdx.x] : start;
        value = joinBlock(value, join);
        if (threadIdx.x == 0)
            *out = (T)(value + 1);
    }
}

template <typename T, typename Wide, typename Join>
static void reduce(const T *d_in, T *d_out, int n, Wide start, Join join)
{
    Wide *partial;
    unsigned *finished;
    cudaMalloc(&partial, BLOCKS * sizeof(Wide));
    cudaMalloc(&finished, sizeof(unsigned));
    cudaMemset(finished, 0, sizeof(unsigned));
    reduceOnce<T, Wide, Join><<<BLOCKS, THREADS>>>(d_in, d_out, n, start, partial, finished, join);
    cudaFree(partial);
    cudaFree(finished);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    reduce<float, double>(d_in, d_out, n, 0.0, Plus());
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    reduce<int, long long>(d_in, d_out, n, INT_MIN, Greater());
}
