#include "sort.h"

enum { BLOCK_SIZE = 256 };

__global__ void pad(const unsigned int *keys, unsigned int *padded, int n, int all)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < all) {
        padded[i] = i < n ? keys[i] : 0xffffffffu;
    }
}

__global__ void step(unsigned int *keys, int all, int run, int distance)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const int partner = i ^ distance;
    if (i >= all) {
        return;
    }
    const bool takes_smaller = ((i & run) == 0) == (i < partner);
    const unsigned int a = keys[i], b = keys[partner];
    if (takes_smaller ? a > b : a < b) {
        keys[i] = b;
        keys[partner] = a;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int all = 2;
    while (all < n) {
        all *= 2;
    }
    unsigned int *d_padded = nullptr;
    cudaMalloc(&d_padded, all * sizeof *d_padded);
    const int blocks = (all + BLOCK_SIZE - 1) / BLOCK_SIZE;
    pad<<<blocks, BLOCK_SIZE>>>(d_keys, d_padded, n, all);
    for (int run = 2; run <= all; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            step<<<blocks, BLOCK_SIZE>>>(d_padded, all, run, distance);
        }
    }
    cudaMemcpy(d_keys, d_padded, n * sizeof *d_keys, cudaMemcpyDeviceToDevice);
    cudaFree(d_padded);
}
