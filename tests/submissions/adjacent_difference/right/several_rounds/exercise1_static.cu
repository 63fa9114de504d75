/* Half as many blocks as the elements need; each goes through the input in rounds. */
#include "adjacent_difference.h"

/* Threads of a block. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    __shared__ int data[BLOCK_SIZE + 1];
    const int tx = threadIdx.x;

    for (int first = blockIdx.x * BLOCK_SIZE; first < n; first += gridDim.x * BLOCK_SIZE) {
        const int i = first + tx;
        if (i < n) {
            data[tx + 1] = input[i];
        }
        if (tx == 0 && first > 0) {
            data[0] = input[first - 1];
        }
        __syncthreads();
        if (i < n) {
            result[i] = i == 0 ? data[1] : data[tx + 1] - data[tx];
        }
        __syncthreads();
    }
}

void launchStatic(int *d_result, int *d_input, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    adjDiffStatic<<<(blocks + 1) / 2, BLOCK_SIZE>>>(d_result, d_input, n);
}
