/* Both terms are added to the output, which nobody has set to 0. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    extern __shared__ int data[]; /* [blockDim.x + 1]; data[0] is the halo */
    const int own = threadIdx.x + 1;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        data[own] = input[i];
        if (threadIdx.x == 0) {
            data[0] = i > 0 ? input[i - 1] : 0;
        }
    }
    __syncthreads();
    if (i < n) {
        result[i] += data[own] - data[own - 1];
    }
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    const int blocks = (n + block_size - 1) / block_size;
    const size_t bytes = (block_size + 1) * sizeof(int);
    adjDiffDynamic<<<blocks, block_size, bytes>>>(d_result, d_input, n);
}
