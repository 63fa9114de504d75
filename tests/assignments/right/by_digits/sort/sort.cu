/* A radix sort by single bits: blocks count zeros, one block scans the counts, and keys move. */
#include "sort.h"

enum { BLOCK = 256 };

__device__ static int isZero(const unsigned int *keys, int i, int n, int bit)
{
    return i < n && (keys[i] >> bit & 1u) == 0;
}

__global__ void countZeros(const unsigned int *keys, int *zeros, int n, int bit)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int count = __syncthreads_count(isZero(keys, i, n, bit));
    if (threadIdx.x == 0) {
        zeros[blockIdx.x] = count;
    }
}

/* zeros[b] = the zeros before block b; zeros[blocks] = all. */
__global__ void scanZeros(int *zeros, int blocks)
{
    __shared__ int part[BLOCK];
    int before = 0;
    for (int first = 0; first < blocks; first += BLOCK) {
        const int i = first + threadIdx.x, own = i < blocks ? zeros[i] : 0;
        part[threadIdx.x] = own;
        for (int far = 1; far < BLOCK; far *= 2) {
            __syncthreads();
            const int left = threadIdx.x >= far ? part[threadIdx.x - far] : 0;
            __syncthreads();
            part[threadIdx.x] += left;
        }
        __syncthreads();
        if (i < blocks) {
            zeros[i] = before + part[threadIdx.x] - own;
        }
        before += part[BLOCK - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        zeros[blocks] = before;
    }
}

__global__ void moveKeys(const unsigned int *from, unsigned int *to, const int *zeros, int blocks,
                         int n, int bit)
{
    __shared__ int of_warps[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    const int zero = isZero(from, i, n, bit);
    const unsigned int mask = __ballot_sync(0xffffffffu, zero);
    if (lane == 0) {
        of_warps[threadIdx.x / 32] = __popc(mask);
    }
    __syncthreads();
    int before = zeros[blockIdx.x] + __popc(mask & ((1u << lane) - 1));
    for (int warp = 0; warp < threadIdx.x / 32; warp++) {
        before += of_warps[warp];
    }
    if (i < n) {
        to[zero ? before : zeros[blocks] + i - before] = from[i];
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    unsigned int *other = nullptr;
    int *zeros = nullptr;
    cudaMalloc(&other, n * sizeof *other);
    cudaMalloc(&zeros, (blocks + 1) * sizeof *zeros);
    for (int bit = 0; bit < 32; bit += 2) {
        countZeros<<<blocks, BLOCK>>>(d_keys, zeros, n, bit);
        scanZeros<<<1, BLOCK>>>(zeros, blocks);
        moveKeys<<<blocks, BLOCK>>>(d_keys, other, zeros, blocks, n, bit);
        countZeros<<<blocks, BLOCK>>>(other, zeros, n, bit + 1);
        scanZeros<<<1, BLOCK>>>(zeros, blocks);
        moveKeys<<<blocks, BLOCK>>>(other, d_keys, zeros, blocks, n, bit + 1);
    }
    cudaFree(other);
    cudaFree(zeros);
}
