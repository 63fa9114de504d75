/* A template; blocks of 1024 threads with four values each. */
#include "histogram.h"

template <int THREADS, int EACH>
__global__ void histogram_kernel(const unsigned char *in, unsigned int n, unsigned int *bins)
{
    __shared__ unsigned int counts[256];
    if (threadIdx.x < 256) {
        counts[threadIdx.x] = 0u;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const unsigned int i = (blockIdx.x * EACH + k) * THREADS + threadIdx.x;
        if (i < n) {
            atomicAdd(&counts[in[i]], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < 256 && counts[threadIdx.x] != 0u) {
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    }
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    static const unsigned int zeros[256] = {0};
    cudaMemcpy(d_bins, zeros, sizeof zeros, cudaMemcpyHostToDevice);
    histogram_kernel<1024, 4><<<(n + 4095) / 4096, 1024>>>(d_in, n, d_bins);
}
