#include "sort.h"

enum { BLOCK_SIZE = 256 };

__global__ void countZeros(const unsigned int *in, int *next, int n, int bit)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n && (in[i] >> bit & 1) == 0) {
        atomicAdd(&next[1], 1);
    }
}

// The zeros from the front on, the ones after them; each key draws its place.
__global__ void split(const unsigned int *in, unsigned int *out, int *next, int n, int bit)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        out[atomicAdd(&next[in[i] >> bit & 1], 1)] = in[i];
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    const int blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    unsigned int *other;
    int *next;
    cudaMalloc(&other, n * sizeof *other);
    cudaMalloc(&next, 2 * sizeof *next);
    for (int bit = 0; bit < 32; bit += 2) {
        cudaMemset(next, 0, 2 * sizeof *next);
        countZeros<<<blocks, BLOCK_SIZE>>>(d_keys, next, n, bit);
        split<<<blocks, BLOCK_SIZE>>>(d_keys, other, next, n, bit);
        cudaMemset(next, 0, 2 * sizeof *next);
        countZeros<<<blocks, BLOCK_SIZE>>>(other, next, n, bit + 1);
        split<<<blocks, BLOCK_SIZE>>>(other, d_keys, next, n, bit + 1);
    }
    cudaFree(other);
    cudaFree(next);
}
