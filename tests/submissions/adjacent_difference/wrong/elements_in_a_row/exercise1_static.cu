/* Each thread has four elements in a row, so neighbouring threads are four elements apart. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[4 * BLOCK_SIZE + 1];
    const int first = 4 * blockIdx.x * BLOCK_SIZE;

    for (int own = 4 * threadIdx.x; own < 4 * threadIdx.x + 4; own++) {
        if (first + own < n) {
            data[own + 1] = input[first + own];
        }
    }
    if (threadIdx.x == 0) {
        data[0] = first > 0 ? input[first - 1] : 0;
    }
    __syncthreads();
    for (int own = 4 * threadIdx.x; own < 4 * threadIdx.x + 4; own++) {
        if (first + own < n) {
            result[first + own] = data[own + 1] - data[own];
        }
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + 4 * BLOCK_SIZE - 1) / (4 * BLOCK_SIZE);
    adjDiffStatic<<<blocks, BLOCK_SIZE>>>(d_result, d_input, n);
}
