/* Sixteen values at a time; the rest at the end one by one. */
#include "histogram.h"

#include <cstdint>

static __device__ void add_word(unsigned int *counts, uint32_t word)
{
    atomicAdd(&counts[word & 255], 1);
    atomicAdd(&counts[word >> 8 & 255], 1);
    atomicAdd(&counts[word >> 16 & 255], 1);
    atomicAdd(&counts[word >> 24], 1);
}

__global__ void count_wide(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const uint4 *wide = reinterpret_cast<const uint4 *>(in);
    const int wide_count = n / 16;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < wide_count; i += threads) {
        const uint4 sixteen = wide[i];
        add_word(counts, sixteen.x);
        add_word(counts, sixteen.y);
        add_word(counts, sixteen.z);
        add_word(counts, sixteen.w);
    }
    for (int i = 16 * wide_count + thread; i < n; i += threads) {
        atomicAdd(&counts[in[i]], 1);
    }
    __syncthreads();
    if (counts[threadIdx.x] != 0) {
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemsetAsync(d_bins, 0, 1024);
    int blocks = (n / 16 + 255) / 256;
    if (blocks < 1) {
        blocks = 1;
    }
    if (blocks > 264) {
        blocks = 264;
    }
    count_wide<<<blocks, 256>>>(d_in, n, d_bins);
}
