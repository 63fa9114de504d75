#include "reduction.h"

#include <climits>
#include <vector>

#define THREADS 128

/* The textbook's first tree: step by step, every second thread is left. */
__global__ void sumTree(const float *in, float *partial, int n)
{
    __shared__ float data[THREADS];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * THREADS + t;
    data[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        if (t % (2 * stride) == 0)
            data[t] += data[t + stride];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = data[0];
}

/* With indices instead of a remainder, so that threads that work are neighbours. */
__global__ void maxTree(const int *in, int *partial, int n)
{
    __shared__ int data[THREADS];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * THREADS + t;
    data[t] = i < n ? in[i] : INT_MIN;
    __syncthreads();
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        const unsigned at = 2 * stride * t;
        if (at < THREADS && data[at + stride] > data[at])
            data[at] = data[at + stride];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = data[0];
}

template <typename T> using Kernel = void (*)(const T *, T *, int);

template <typename T> void launches(Kernel<T> kernel, const T *in, T *out, int n)
{
    std::vector<T *> scratch;
    while (n > THREADS) {
        const int blocks = (n + THREADS - 1) / THREADS;
        T *partial;
        cudaMalloc(&partial, blocks * sizeof(T));
        kernel<<<blocks, THREADS>>>(in, partial, n);
        scratch.push_back(partial);
        in = partial;
        n = blocks;
    }
    kernel<<<1, THREADS>>>(in, out, n);
    for (T *each : scratch)
        cudaFree(each);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    launches<float>(sumTree, d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    launches<int>(maxTree, d_in, d_out, n);
}
