/* histogram.cu: how often each of the 256 values occurs.
 *
 * Each block counts its own part of the values in shared memory, where an atomic addition is fast
 * and only meets those of the same block. In the end it adds its counts to the result: at most 256
 * additions in global memory for PART values.
 */
#include "histogram.h"

enum { BINS = 256, BLOCK = BINS, PART = 16 * BLOCK }; /* threads, and values, of a block */

__global__ void countPart(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int counts[BINS];
    const int t = threadIdx.x;
    counts[t] = 0; /* as many threads as bins */
    __syncthreads();

    /* Neighbouring threads read neighbouring values. */
    const int first = blockIdx.x * PART;
    const int end = min(first + PART, n);
    for (int i = first + t; i < end; i += BLOCK) {
        atomicAdd(&counts[in[i]], 1u);
    }
    __syncthreads();

    if (counts[t] > 0) {
        atomicAdd(&bins[t], counts[t]);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, BINS * sizeof *d_bins, 0);
    countPart<<<(n + PART - 1) / PART, BLOCK>>>(d_in, n, d_bins);
}
