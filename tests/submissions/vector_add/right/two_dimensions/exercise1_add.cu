#include "vector_add.h"

/* Blocks of 32 x 8 threads in a grid with two dimensions. */
__global__ void addRows(const float *a, const float *b, float *c, int n)
{
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int i = block * (blockDim.x * blockDim.y) + thread;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    const dim3 block(32, 8);
    const int blocks = (n + 255) / 256;
    const dim3 grid(blocks < 64 ? blocks : 64, (blocks + 63) / 64);
    addRows<<<grid, block>>>(d_a, d_b, d_c, n);
}
