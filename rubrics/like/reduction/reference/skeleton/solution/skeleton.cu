/* A tree in each block; then one atomic addition for each block. */
#include "skeleton.h"

enum { BLOCK = 256 };

__global__ void sumBlocks(const float *in, float *sum, int n)
{
    __shared__ float part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(sum, part[0]);
    }
}

void launch_skeleton(const float *d_in, float *d_sum, int n)
{
    cudaMemset(d_sum, 0, sizeof *d_sum);
    sumBlocks<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_sum, n);
}
