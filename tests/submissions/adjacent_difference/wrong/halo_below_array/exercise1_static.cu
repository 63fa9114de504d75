/* Thread 0 reads its neighbour in front of the shared array. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[BLOCK_SIZE];
    const int tx = threadIdx.x;
    const int i = blockIdx.x * BLOCK_SIZE + tx;

    if (i < n) {
        data[tx] = input[i];
    }
    __syncthreads();
    if (i >= n) {
        return;
    }
    result[i] = i > 0 ? data[tx] - data[tx - 1] : data[0];
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
