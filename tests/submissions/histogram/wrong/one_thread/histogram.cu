#include "histogram.h"

__global__ void countAll(const unsigned char *in, int n, unsigned int *bins)
{
    for (int i = 0; i < 256; i++) {
        bins[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        bins[in[i]]++;
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    countAll<<<1, 1>>>(d_in, n, d_bins);
}
