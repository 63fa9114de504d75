/* The element in front of every block is taken for 0, not only that in front of the first one. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[BLOCK_SIZE + 1];
    const int tx = threadIdx.x;
    const int i = blockIdx.x * BLOCK_SIZE + tx;

    if (i < n) {
        data[tx + 1] = input[i];
    }
    if (tx == 0) {
        data[0] = 0;
    }
    __syncthreads();
    if (i < n) {
        result[i] = data[tx + 1] - data[tx];
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
