/* Each warp counts in a copy of its own, so that fewer threads meet. A grid of fixed size. */
#include "histogram.h"

#define BINS 256
#define WARPS 8

__global__ void count(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int copies[WARPS][BINS];
    for (int i = threadIdx.x; i < WARPS * BINS; i += blockDim.x) {
        copies[0][i] = 0;
    }
    __syncthreads();
    unsigned int *mine = copies[threadIdx.x / 32];
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(mine + in[i], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        unsigned int sum = 0;
        for (int warp = 0; warp < WARPS; warp++) {
            sum += copies[warp][bin];
        }
        atomicAdd(bins + bin, sum);
    }
}

__global__ void clear(unsigned int *bins)
{
    bins[threadIdx.x] = 0;
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    clear<<<1, BINS>>>(d_bins);
    count<<<120, WARPS * 32>>>(d_in, n, d_bins);
}
