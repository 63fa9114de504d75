/* Lanes of a warp that hold the same value send one of them. */
#include "histogram.h"

__global__ void k(const unsigned char *in, int n, unsigned int *bins)
{
    extern __shared__ unsigned int local_bins[];
    local_bins[threadIdx.x] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31;
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        const unsigned int active = __ballot_sync(0xffffffffu, i < n);
        if (i < n) {
            const unsigned int v = in[i];
            const unsigned int same = __match_any_sync(active, v);
            if (lane == __ffs(same) - 1) {
                atomicAdd(&local_bins[v], (unsigned int)__popc(same));
            }
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local_bins[threadIdx.x]);
}

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    cudaMemset(d_bins, 0, 256 * sizeof(unsigned int));
    k<<<200, 256, 256 * sizeof(unsigned int)>>>(d_in, n, d_bins);
}
