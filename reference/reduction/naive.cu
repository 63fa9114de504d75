/* naive.cu: the versions that the exercise should beat. Every thread joins its element to the one
 * result by an atomic operation, so all of them wait in line at the same address.
 */
#include "reduction.h"

#include <climits>

enum { NAIVE_BLOCK = 256 };

__global__ void naiveStart(int *out, int value)
{
    *out = value;
}

__global__ void naiveStart(float *out, float value)
{
    *out = value;
}

__global__ void naiveSumKernel(const float *in, float *out, int n)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        atomicAdd(out, in[i]);
    }
}

__global__ void naiveMaxKernel(const int *in, int *out, int n)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        atomicMax(out, in[i]);
    }
}

static int blocks_for(int n)
{
    return (n + NAIVE_BLOCK - 1) / NAIVE_BLOCK;
}

void naiveSum(const float *d_in, float *d_out, int n)
{
    naiveStart<<<1, 1>>>(d_out, 0.0f);
    naiveSumKernel<<<blocks_for(n), NAIVE_BLOCK>>>(d_in, d_out, n);
}

void naiveMax(const int *d_in, int *d_out, int n)
{
    naiveStart<<<1, 1>>>(d_out, INT_MIN);
    naiveMaxKernel<<<blocks_for(n), NAIVE_BLOCK>>>(d_in, d_out, n);
}
