/* A tree in each block, one element a thread. It leaves one result for each block, and the same
 * kernel reduces those, until one is left. Sum and maximum differ in two points only: what two
 * elements are joined to, and the neutral element, which changes nothing when it is joined.
 */
#include "reduction.h"

#include <climits>
#include <utility>

enum { BLOCK = 256 };

struct Sum {
    static __device__ float neutral()
    {
        return 0.0f;
    }
    static __device__ float join(float a, float b)
    {
        return a + b;
    }
};

struct Maximum {
    static __device__ int neutral()
    {
        return INT_MIN; /* not 0: all elements may be negative */
    }
    static __device__ int join(int a, int b)
    {
        return max(a, b);
    }
};

/* out[b] = the elements of block b, joined. */
template <typename T, typename Operation> __global__ void reduceBlocks(const T *in, T *out, int n)
{
    __shared__ T part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    /* Threads past the end take part too, so that every element of `part` is written. */
    part[threadIdx.x] = i < n ? in[i] : Operation::neutral();
    __syncthreads();

    /* The first half of the threads joins the second half to its own: whole warps drop out. */
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            part[threadIdx.x] = Operation::join(part[threadIdx.x], part[threadIdx.x + half]);
        }
        __syncthreads(); /* outside of the condition: all threads must reach it */
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = part[0];
    }
}

static int blocks_for(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

template <typename T, typename Operation> static void reduce(const T *d_in, T *d_out, int n)
{
    int blocks = blocks_for(n);
    if (blocks == 1) {
        reduceBlocks<T, Operation><<<1, BLOCK>>>(d_in, d_out, n);
        return;
    }

    T *d_scratch = nullptr;
    cudaMalloc(&d_scratch, (blocks + blocks_for(blocks)) * sizeof(T));
    T *d_from = d_scratch, *d_to = d_scratch + blocks_for(blocks);

    reduceBlocks<T, Operation><<<blocks, BLOCK>>>(d_in, d_from, n);
    while (blocks > BLOCK) {
        reduceBlocks<T, Operation><<<blocks_for(blocks), BLOCK>>>(d_from, d_to, blocks);
        blocks = blocks_for(blocks);
        std::swap(d_from, d_to);
    }
    reduceBlocks<T, Operation><<<1, BLOCK>>>(d_from, d_out, blocks);
    cudaFree(d_scratch); /* waits for the kernels */
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    reduce<float, Sum>(d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    reduce<int, Maximum>(d_in, d_out, n);
}
