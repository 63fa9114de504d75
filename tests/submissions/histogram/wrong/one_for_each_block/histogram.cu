#include "histogram.h"

enum { BINS = 256, BLOCK = BINS, PART = 16 * BLOCK };

__global__ void countPart(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int counts[BINS];
    const int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();

    const int first = blockIdx.x * PART;
    const int end = min(first + PART, n);
    for (int i = first + t; i < end; i += BLOCK) {
        atomicAdd(&counts[in[i]], 1u);
    }
    __syncthreads();

    if (counts[t] > 0) {
        atomicAdd(&bins[t], 1u);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, BINS * sizeof *d_bins);
    countPart<<<(n + PART - 1) / PART, BLOCK>>>(d_in, n, d_bins);
}
