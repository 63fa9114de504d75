/* Two passes, for the lower and the upper half of the values. */
#include "histogram.h"

__global__ void countHalf(const unsigned char *in, int n, unsigned int *bins, int lowest)
{
    __shared__ unsigned int counts[128];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        const int bin = in[i] - lowest;
        if (bin >= 0 && bin < 128) {
            atomicAdd(&counts[bin], 1u);
        }
    }
    __syncthreads();
    atomicAdd(&bins[lowest + threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, 256 * sizeof *d_bins);
    countHalf<<<128, 128>>>(d_in, n, d_bins, 0);
    countHalf<<<128, 128>>>(d_in, n, d_bins, 128);
}
