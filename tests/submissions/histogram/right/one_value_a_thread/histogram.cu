/* The plainest version: one value for each thread, and every thread adds one or two bins. */
#include "histogram.h"

#define BLOCK_SIZE 128

__global__ void histogramKernel(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int s_bins[256];
    s_bins[threadIdx.x] = 0;
    s_bins[threadIdx.x + BLOCK_SIZE] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&s_bins[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
    atomicAdd(&bins[threadIdx.x + BLOCK_SIZE], s_bins[threadIdx.x + BLOCK_SIZE]);
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, 256 * sizeof(unsigned int));
    histogramKernel<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, n, d_bins);
}
