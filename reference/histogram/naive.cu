/* naive.cu: the version that the exercise should beat. Each value is added to its bin in global
 * memory at once. All threads of the grid meet at the same 256 bins; where all values are equal, at
 * one.
 */
#include "histogram.h"

enum { NAIVE_BINS = 256, NAIVE_BLOCK = 256 };

__global__ void naiveCount(const unsigned char *in, int n, unsigned int *bins)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[in[i]], 1u);
    }
}

void naiveHistogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, NAIVE_BINS * sizeof *d_bins);
    naiveCount<<<(n + NAIVE_BLOCK - 1) / NAIVE_BLOCK, NAIVE_BLOCK>>>(d_in, n, d_bins);
}
