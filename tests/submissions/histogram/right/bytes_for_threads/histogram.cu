/* Each thread has 256 counters of one byte for itself, and at most 255 values: no atomic
 * addition in shared memory. */
#include "histogram.h"

enum { THREADS = 64, VALUES = 255, BINS = 256 };

__global__ void countAlone(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned char counts[BINS * THREADS];
    const int t = threadIdx.x;
    for (int bin = 0; bin < BINS; ++bin)
        counts[bin * THREADS + t] = 0;
    const int first = blockIdx.x * THREADS * VALUES;
    for (int k = 0; k < VALUES; ++k) {
        const int i = first + k * THREADS + t;
        if (i < n)
            ++counts[in[i] * THREADS + t];
    }
    __syncthreads();
    for (int bin = t; bin < BINS; bin += THREADS) {
        unsigned int sum = 0;
        for (int thread = 0; thread < THREADS; ++thread)
            sum += counts[bin * THREADS + thread];
        if (sum)
            atomicAdd(bins + bin, sum);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, BINS * sizeof(int));
    const int part = THREADS * VALUES;
    countAlone<<<(n + part - 1) / part, THREADS>>>(d_in, n, d_bins);
}
