/* Each block counts 4096 values in shared memory and adds its counts to the result. */
#include "histogram.h"

enum { BINS = 256, PART = 4096 };

__global__ void countPart(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int part[BINS];
    const int first = blockIdx.x * PART + threadIdx.x;
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = first; i < min(n, (int)(blockIdx.x + 1) * PART); i += BINS) {
        atomicAdd(&part[in[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, BINS * sizeof *d_bins);
    countPart<<<(n + PART - 1) / PART, BINS>>>(d_in, n, d_bins);
}
