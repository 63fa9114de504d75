// A radix sort: a stable split by one bit at a time. Blocks count zeros, one block scans them.
#include "sort.h"

#define BLOCK 256

__global__ void count(const unsigned int *keys, unsigned int *zeros, int n, int bit)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int sum = __syncthreads_count(i < n && (keys[i] >> bit & 1) == 0);
    if (threadIdx.x == 0) {
        zeros[blockIdx.x] = sum;
    }
}

// 65536 keys make 256 blocks: one for each thread.
__global__ void scan(unsigned int *zeros, int blocks)
{
    __shared__ unsigned int sums[BLOCK];
    const int t = threadIdx.x;
    const unsigned int own = t < blocks ? zeros[t] : 0;
    sums[t] = own;
    __syncthreads();
    for (int far = 1; far < BLOCK; far *= 2) {
        const unsigned int other = t >= far ? sums[t - far] : 0;
        __syncthreads();
        sums[t] += other;
        __syncthreads();
    }
    if (t < blocks) {
        zeros[t] = sums[t] - own;
    }
    if (t == BLOCK - 1) {
        zeros[blocks] = sums[t];
    }
}

__global__ void split(const unsigned int *in, unsigned int *out, const unsigned int *zeros, int n,
                      int bit)
{
    __shared__ int warps[BLOCK / 32];
    const int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const bool is_zero = i < n && (in[i] >> bit & 1) == 0;
    const unsigned int ballot = __ballot_sync(~0u, is_zero);
    if (lane == 0) {
        warps[warp] = __popc(ballot);
    }
    __syncthreads();
    int before = zeros[blockIdx.x] + __popc(ballot & ((1u << lane) - 1));
    for (int w = 0; w < warp; w++) {
        before += warps[w];
    }
    if (i < n) {
        out[is_zero ? before : zeros[gridDim.x] + i - before] = in[i];
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    unsigned int *buffers[2] = {d_keys, nullptr}, *zeros;
    cudaMalloc(&buffers[1], n * sizeof(unsigned int));
    cudaMalloc(&zeros, (blocks + 1) * sizeof(unsigned int));
    for (int bit = 0; bit < 32; bit++) {
        count<<<blocks, BLOCK>>>(buffers[bit % 2], zeros, n, bit);
        scan<<<1, BLOCK>>>(zeros, blocks);
        split<<<blocks, BLOCK>>>(buffers[bit % 2], buffers[1 - bit % 2], zeros, n, bit);
    }
    cudaFree(buffers[1]);
    cudaFree(zeros);
}
