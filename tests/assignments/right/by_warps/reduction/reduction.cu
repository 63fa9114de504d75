/* Warps shuffle, blocks meet in shared memory, and each adds to the result once. */
#include "reduction.h"

#include <climits>

enum { BLOCK = 128, WARP = 32, MOST_BLOCKS = 256 };

__global__ void sumStripes(const float *in, float *out, int n)
{
    __shared__ float part[BLOCK / WARP];
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        sum += in[i];
    }
    for (int far = WARP / 2; far > 0; far /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, far);
    }
    if (threadIdx.x % WARP == 0) {
        part[threadIdx.x / WARP] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < BLOCK / WARP; i++) {
            sum += part[i];
        }
        atomicAdd(out, sum);
    }
}

__global__ void setLeast(int *out)
{
    *out = INT_MIN;
}

__global__ void maxStripes(const int *in, int *out, int n)
{
    __shared__ int part;
    if (threadIdx.x == 0) {
        part = INT_MIN;
    }
    __syncthreads();
    int largest = INT_MIN;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        largest = max(largest, in[i]);
    }
    atomicMax(&part, largest);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax(out, part);
    }
}

static int blocks_of(int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    cudaMemset(d_out, 0, sizeof(float));
    sumStripes<<<blocks_of(n), BLOCK>>>(d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    setLeast<<<1, 1>>>(d_out);
    maxStripes<<<blocks_of(n), BLOCK>>>(d_in, d_out, n);
}
