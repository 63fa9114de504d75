/* Exercise 1, reference solution: one element for each thread, with the halo before them. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[BLOCK_SIZE + 1]; /* data[0] is the halo */
    const int own = threadIdx.x + 1;
    const int i = blockIdx.x * BLOCK_SIZE + own;

    if (i < n) {
        data[own] = input[i];
        if (threadIdx.x == 0) {
            data[0] = i > 0 ? input[i - 1] : 0;
        }
    }
    __syncthreads();
    if (i < n) {
        result[i] = data[own] - data[own - 1];
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
