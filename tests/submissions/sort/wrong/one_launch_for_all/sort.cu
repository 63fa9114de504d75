#include "sort.h"

enum { BLOCK_SIZE = 256 };

__global__ void pad(const unsigned int *keys, unsigned int *padded, int n, int all)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < all) {
        padded[i] = i < n ? keys[i] : 0xffffffffu;
    }
}

__global__ void sortAll(unsigned int *keys, int all)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    for (int run = 2; run <= all; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            const int partner = i ^ distance;
            if (i < all && partner > i) {
                const unsigned int a = keys[i], b = keys[partner];
                if ((i & run) == 0 ? a > b : a < b) {
                    keys[i] = b;
                    keys[partner] = a;
                }
            }
            __syncthreads();
        }
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
    sortAll<<<blocks, BLOCK_SIZE>>>(d_padded, all);
    cudaMemcpy(d_keys, d_padded, n * sizeof *d_keys, cudaMemcpyDeviceToDevice);
    cudaFree(d_padded);
}
