/* No atomic addition in global memory: blocks leave their counts in scratch memory, and one warp
 * for each bin adds them up. */
#include "histogram.h"

constexpr int kBins = 256;
constexpr int kBlocks = 96;

__global__ void countBlocks(const unsigned char *__restrict__ in, int n, unsigned *__restrict__ all)
{
    __shared__ unsigned mine[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        all[b * kBlocks + blockIdx.x] = mine[b];
}

__global__ void addUp(const unsigned *__restrict__ all, unsigned *__restrict__ bins)
{
    unsigned sum = 0;
    for (int i = threadIdx.x; i < kBlocks; i += 32)
        sum += all[blockIdx.x * kBlocks + i];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0)
        bins[blockIdx.x] = sum;
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    unsigned *d_all;
    cudaMalloc(&d_all, sizeof(unsigned) * kBins * kBlocks);
    countBlocks<<<kBlocks, 512>>>(d_in, n, d_all);
    addUp<<<kBins, 32>>>(d_all, d_bins);
    cudaFree(d_all);
}
