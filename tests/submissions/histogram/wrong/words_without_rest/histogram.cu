/* Four values at a time. */
#include "histogram.h"

__global__ void count(const uchar4 *in, int n, unsigned int *bins)
{
    __shared__ unsigned int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n / 4) {
        const uchar4 four = in[i];
        atomicAdd(&counts[four.x], 1u);
        atomicAdd(&counts[four.y], 1u);
        atomicAdd(&counts[four.z], 1u);
        atomicAdd(&counts[four.w], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, 256 * sizeof *d_bins);
    count<<<(n + 1023) / 1024, 256>>>((const uchar4 *)d_in, n, d_bins);
}
