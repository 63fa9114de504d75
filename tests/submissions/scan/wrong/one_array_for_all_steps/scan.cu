/* Hillis and Steele's scan within a block, in one array: a thread may read what is already new. */
#include "scan.h"

enum { BLOCK = 256 };

__global__ void scanBlocks(const int *in, int *out, int *totals, int n)
{
    __shared__ int part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    const int own = i < n ? in[i] : 0;
    part[t] = own;
    for (int far = 1; far < BLOCK; far *= 2) {
        __syncthreads();
        if (t >= far) {
            part[t] += part[t - far];
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = part[t] - own;
    }
    if (t == BLOCK - 1) {
        totals[blockIdx.x] = part[t];
    }
}

__global__ void addTotals(const int *before, int *out, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += before[blockIdx.x];
    }
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *d_totals = nullptr;
    cudaMalloc(&d_totals, 2 * blocks * sizeof(int));
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, d_totals, n);
    if (blocks > 1) {
        exclusiveScan(d_totals, d_totals + blocks, blocks);
        addTotals<<<blocks, BLOCK>>>(d_totals + blocks, d_out, n);
    }
    cudaFree(d_totals);
}
/* Compaction: each element that is kept goes to the place that its number says: how many are kept
 * before it. That is the scan of flags, 1 for an element that is kept and 0 for another. */

__global__ void flagPositive(const int *in, int *flags, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        flags[i] = in[i] > 0;
    }
}

__global__ void movePositive(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) {
        return;
    }
    const bool is_kept = in[i] > 0;
    if (is_kept) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + is_kept; /* the last place, and the last element itself */
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *d_flags = nullptr, *d_places = nullptr;
    cudaMalloc(&d_flags, n * sizeof *d_flags);
    cudaMalloc(&d_places, n * sizeof *d_places);
    flagPositive<<<blocks, BLOCK>>>(d_in, d_flags, n);
    exclusiveScan(d_flags, d_places, n);
    movePositive<<<blocks, BLOCK>>>(d_in, d_places, n, d_out, d_count);
    cudaFree(d_flags);
    cudaFree(d_places);
}
