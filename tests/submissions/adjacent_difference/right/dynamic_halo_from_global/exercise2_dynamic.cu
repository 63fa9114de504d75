/* As many elements in shared memory as a block has threads; the halo is read from the input. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    extern __shared__ int data[];
    const int tx = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + tx;

    if (i < n) {
        data[tx] = input[i];
    }
    __syncthreads();
    if (i >= n) {
        return;
    }
    if (tx > 0) {
        result[i] = data[tx] - data[tx - 1];
    } else if (i > 0) {
        result[i] = data[0] - input[i - 1];
    } else {
        result[0] = data[0];
    }
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    const int blocks = (n + block_size - 1) / block_size;
    const size_t bytes = block_size * sizeof(int);
    adjDiffDynamic<<<blocks, block_size, bytes>>>(d_result, d_input, n);
}
