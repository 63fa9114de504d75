/* A thread counts a run of equal values in a register, and adds it when the value changes. */
#include "histogram.h"

#define THREADS 128
#define RUN 64

__global__ void histogramOfRuns(const unsigned char *in, int n, unsigned int *bins)
{
    __shared__ unsigned int counts[256];
    for (int bin = threadIdx.x; bin < 256; bin += THREADS) {
        counts[bin] = 0;
    }
    __syncthreads();

    const int first = (blockIdx.x * THREADS + threadIdx.x) * RUN;
    int last_value = -1;
    unsigned int run = 0;
    for (int i = first; i < first + RUN && i < n; i++) {
        const int value = in[i];
        if (value == last_value) {
            run++;
            continue;
        }
        if (run > 0) {
            atomicAdd(&counts[last_value], run);
        }
        last_value = value;
        run = 1;
    }
    if (run > 0) {
        atomicAdd(&counts[last_value], run);
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < 256; bin += THREADS) {
        if (counts[bin] > 0) {
            atomicAdd(&bins[bin], counts[bin]);
        }
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    const int blocks = (n - 1) / (THREADS * RUN) + 1;
    cudaMemset(d_bins, 0, 256 * sizeof(unsigned int));
    histogramOfRuns<<<blocks, THREADS>>>(d_in, n, d_bins);
}
