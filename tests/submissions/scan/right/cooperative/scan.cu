/* One cooperative launch: blocks scan, the grid waits, the first block scans the sums, the grid
 * waits again, and all add. */
#include "scan.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { BLOCK = 512, GRID = 64 };

__device__ int scanShared(int own, int *shared)
{
    const int t = threadIdx.x;
    shared[t] = own;
    for (int d = 1; d < BLOCK; d *= 2) {
        __syncthreads();
        const int left = t < d ? 0 : shared[t - d];
        __syncthreads();
        shared[t] += left;
    }
    __syncthreads();
    return shared[t] - own;
}

/* Each block scans a piece of its own, so that there are GRID sums in all. */
__global__ void scanAll(const int *in, int *out, int *sums, int n, bool flags)
{
    __shared__ int shared[BLOCK];
    const int piece = (n + GRID - 1) / GRID;
    const int first = blockIdx.x * piece, end = min(n, first + piece);
    int carry = 0;
    for (int base = first; base < end; base += BLOCK) {
        const int i = base + threadIdx.x;
        const int own = i >= end ? 0 : flags ? in[i] > 0 : in[i];
        const int before = scanShared(own, shared);
        if (i < end) {
            out[i] = carry + before;
        }
        carry += shared[BLOCK - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = carry;
    }
    cg::this_grid().sync();
    int before = 0;
    for (int k = 0; k < blockIdx.x; k++) {
        before += sums[k];
    }
    for (int i = first + threadIdx.x; i < end; i += BLOCK) {
        out[i] += before;
    }
}

static void scan(const int *d_in, int *d_out, int n, bool flags)
{
    int *sums = nullptr;
    cudaMalloc(&sums, GRID * sizeof(int));
    void *arguments[] = {&d_in, &d_out, &sums, &n, &flags};
    cudaLaunchCooperativeKernel((const void *)scanAll, GRID, BLOCK, arguments);
    cudaDeviceSynchronize();
    cudaFree(sums);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scan(d_in, d_out, n, false);
}

__global__ void moveAll(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *places = nullptr;
    cudaMalloc(&places, n * sizeof(int));
    scan(d_in, places, n, true);
    moveAll<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, places, n, d_out, d_count);
    cudaFree(places);
}
