/* Both neighbours are loaded from global memory. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        result[i] = i > 0 ? input[i] - input[i - 1] : input[0];
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
