/* Exercise 1: each block hands its last element on to the next one. */
#include "adjacent_difference.h"

#define BLOCK_SIZE 256

__device__ int lastOfBlock[1 << 20];

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[BLOCK_SIZE];
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;

    if (i < n) {
        data[threadIdx.x] = input[i];
    }
    __syncthreads();
    if (threadIdx.x == BLOCK_SIZE - 1 && i < n) {
        lastOfBlock[blockIdx.x] = data[threadIdx.x];
    }
    if (i < n) {
        int before = 0;
        if (threadIdx.x > 0) {
            before = data[threadIdx.x - 1];
        } else if (blockIdx.x > 0) {
            before = lastOfBlock[blockIdx.x - 1];
        }
        result[i] = data[threadIdx.x] - before;
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
