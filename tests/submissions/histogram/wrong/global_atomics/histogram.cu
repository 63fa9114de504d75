/* Each value is added to its bin in global memory. */
#include "histogram.h"

__global__ void count(const unsigned char *in, int n, unsigned int *bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[in[i]], 1u);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, 256 * sizeof *d_bins);
    count<<<(n + 255) / 256, 256>>>(d_in, n, d_bins);
}
