/* Hillis and Steele's scan within blocks of 1024, in two arrays by turns; sums of blocks
 * likewise. */
#include "scan.h"

#define BLOCK 1024

__global__ void scan_block(const int *in, int *out, int *totals, int n, bool only_signs)
{
    __shared__ int buffers[2][BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    int own = 0;
    if (i < n) {
        own = only_signs ? in[i] > 0 : in[i];
    }
    int now = 0;
    buffers[now][t] = own;
    __syncthreads();
    for (int far = 1; far < BLOCK; far *= 2) {
        const int before = t >= far ? buffers[now][t - far] : 0;
        buffers[1 - now][t] = buffers[now][t] + before;
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) {
        out[i] = buffers[now][t] - own;
    }
    if (t == BLOCK - 1) {
        totals[blockIdx.x] = buffers[now][t];
    }
}

__global__ void add_totals(int *out, const int *before, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += before[blockIdx.x];
    }
}

static void scan(const int *d_in, int *d_out, int n, bool only_signs)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *d_totals;
    cudaMalloc(&d_totals, 2 * blocks * sizeof(int));
    scan_block<<<blocks, BLOCK>>>(d_in, d_out, d_totals, n, only_signs);
    if (blocks > 1) {
        scan(d_totals, d_totals + blocks, blocks, false);
        add_totals<<<blocks, BLOCK>>>(d_out, d_totals + blocks, n);
    }
    cudaFree(d_totals);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scan(d_in, d_out, n, false);
}

__global__ void scatter(const int *in, const int *to, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (in[i] > 0) {
        out[to[i]] = in[i];
    }
    if (i + 1 == n) {
        *count = in[i] > 0 ? to[i] + 1 : to[i];
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *d_to;
    cudaMalloc(&d_to, n * sizeof(int));
    scan(d_in, d_to, n, true);
    scatter<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_to, n, d_out, d_count);
    cudaFree(d_to);
}
