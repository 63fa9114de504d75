/* A scan of each block; then a scan of the sums of the blocks, which are added. */
#include "skeleton.h"

enum { BLOCK = 256 };

__global__ void scanBlocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    part[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
        const int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    if (i < n) {
        out[i] = part[threadIdx.x] - own;
    }
    if (threadIdx.x == BLOCK - 1) {
        sums[blockIdx.x] = part[threadIdx.x];
    }
}

__global__ void addSums(const int *sums, int *out, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        out[i] += sums[blockIdx.x];
    }
}

void launch_skeleton(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *sums = nullptr, *before = nullptr;
    cudaMalloc(&sums, blocks * sizeof *sums);
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, sums, n);
    if (blocks > 1) {
        cudaMalloc(&before, blocks * sizeof *before);
        launch_skeleton(sums, before, blocks);
        addSums<<<blocks, BLOCK>>>(before, d_out, n);
        cudaFree(before);
    }
    cudaFree(sums);
}
