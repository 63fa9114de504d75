/* Hillis and Steele's scan in each block; totals are scanned by the same kernel. */
#include "scan.h"

enum { BLOCK = 1024 };

/* Flags in place of elements, if only their signs count. */
__global__ void scanBlocks(const int *in, int *out, int *totals, int n, bool as_flags)
{
    __shared__ int part[2][BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    const int own = i < n ? (as_flags ? in[i] > 0 : in[i]) : 0;
    int from = 0;
    part[0][t] = own;
    for (int far = 1; far < BLOCK; far *= 2) {
        __syncthreads();
        part[1 - from][t] = part[from][t] + (t >= far ? part[from][t - far] : 0);
        from = 1 - from;
    }
    if (i < n) {
        out[i] = part[from][t] - own;
    }
    if (t == BLOCK - 1) {
        totals[blockIdx.x] = part[from][t];
    }
}

__global__ void addTotals(const int *before, int *out, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += before[blockIdx.x];
    }
}

static void scan(const int *d_in, int *d_out, int n, bool as_flags)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *totals = nullptr;
    cudaMallocAsync(&totals, 2 * blocks * sizeof(int), 0);
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, totals, n, as_flags);
    if (blocks > 1) {
        scan(totals, totals + blocks, blocks, false);
        addTotals<<<blocks, BLOCK>>>(totals + blocks, d_out, n);
    }
    cudaFreeAsync(totals, 0);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scan(d_in, d_out, n, false);
}

__global__ void gather(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0 ? 1 : 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *places = nullptr;
    cudaMalloc(&places, n * sizeof(int));
    scan(d_in, places, n, true);
    gather<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, places, n, d_out, d_count);
    cudaFree(places);
}
