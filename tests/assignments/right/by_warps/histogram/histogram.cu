/* Each warp counts for itself; a second kernel adds up what the blocks have counted. */
#include "histogram.h"

enum { BINS = 256, BLOCK = 128, WARP = 32, BLOCKS = 64 };

__global__ void countByWarps(const unsigned char *in, int n, unsigned int *counts)
{
    __shared__ unsigned int part[BLOCK / WARP][BINS];
    for (int i = threadIdx.x; i < BLOCK / WARP * BINS; i += BLOCK) {
        part[i / BINS][i % BINS] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCKS * BLOCK) {
        atomicAdd(&part[threadIdx.x / WARP][in[i]], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        unsigned int sum = 0;
        for (int warp = 0; warp < BLOCK / WARP; warp++) {
            sum += part[warp][bin];
        }
        counts[blockIdx.x * BINS + bin] = sum;
    }
}

__global__ void addCounts(const unsigned int *counts, unsigned int *bins)
{
    unsigned int sum = 0;
    for (int block = 0; block < BLOCKS; block++) {
        sum += counts[block * BINS + threadIdx.x];
    }
    bins[threadIdx.x] = sum;
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    unsigned int *counts = nullptr;
    cudaMalloc(&counts, BLOCKS * BINS * sizeof *counts);
    countByWarps<<<BLOCKS, BLOCK>>>(d_in, n, counts);
    addCounts<<<1, BINS>>>(counts, d_bins);
    cudaFree(counts);
}
