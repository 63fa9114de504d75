/* The elements of the block are in dynamic shared memory, the halo in a static variable. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    extern __shared__ int data[];
    __shared__ int halo;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        data[threadIdx.x] = input[i];
    }
    if (threadIdx.x == 0) {
        halo = i > 0 ? input[i - 1] : 0;
    }
    __syncthreads();
    if (i < n) {
        result[i] = data[threadIdx.x] - (threadIdx.x > 0 ? data[threadIdx.x - 1] : halo);
    }
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    const int blocks = (n + block_size - 1) / block_size;
    adjDiffDynamic<<<blocks, block_size, block_size * sizeof(int)>>>(d_result, d_input, n);
}
