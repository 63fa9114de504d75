/* Thread 0 computes the results of the whole block, one after another. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    extern __shared__ int data[]; /* [blockDim.x + 1]; data[0] is the halo */
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        data[threadIdx.x + 1] = input[i];
        if (threadIdx.x == 0) {
            data[0] = i > 0 ? input[i - 1] : 0;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 0; t < (int)blockDim.x && i + t < n; t++) {
            result[i + t] = data[t + 1] - data[t];
        }
    }
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    const int blocks = (n + block_size - 1) / block_size;
    const size_t bytes = (block_size + 1) * sizeof(int);
    adjDiffDynamic<<<blocks, block_size, bytes>>>(d_result, d_input, n);
}
