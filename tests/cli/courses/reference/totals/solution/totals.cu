#include "totals.h"

enum { BLOCK = 256 };

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    part[threadIdx.x] = i < n ? in[i] : 0;
    for (int step = 1; step < BLOCK; step *= 2) {
        __syncthreads();
        const int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
    }
    if (i < n) {
        out[i] = part[threadIdx.x];
    }
    if (threadIdx.x == BLOCK - 1) {
        sums[blockIdx.x] = part[BLOCK - 1];
    }
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    int before = 0;

    for (int k = 0; k < blockIdx.x; k++) {
        before += sums[k];
    }
    if (i < n) {
        out[i] += before;
    }
}

void totals(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *sums = nullptr;

    cudaMalloc(&sums, blocks * sizeof(int));
    scan_blocks<<<blocks, BLOCK>>>(d_in, d_out, sums, n);
    add_sums<<<blocks, BLOCK>>>(d_out, sums, n);
    cudaFree(sums);
}
