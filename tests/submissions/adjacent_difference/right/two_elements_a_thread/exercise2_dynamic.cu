/* Each thread has two elements, as far apart as a block has threads: half of the halos. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    extern __shared__ int data[]; /* [2 * blockDim.x + 1]; data[0] is the halo */
    const int first = 2 * blockIdx.x * blockDim.x;

    for (int own = threadIdx.x; own < 2 * blockDim.x && first + own < n; own += blockDim.x) {
        data[own + 1] = input[first + own];
    }
    if (threadIdx.x == 0) {
        data[0] = first > 0 ? input[first - 1] : 0;
    }
    __syncthreads();
    for (int own = threadIdx.x; own < 2 * blockDim.x && first + own < n; own += blockDim.x) {
        result[first + own] = data[own + 1] - data[own];
    }
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    const int blocks = (n + 2 * block_size - 1) / (2 * block_size);
    const size_t bytes = (2 * block_size + 1) * sizeof(int);
    adjDiffDynamic<<<blocks, block_size, bytes>>>(d_result, d_input, n);
}
