/* Blelloch's scan of each block, of two elements a thread; then a scan of the sums of the blocks. */
#include "scan.h"

enum { BLOCK = 256, PART = 2 * BLOCK };

__global__ void scanBlocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int part[PART];
    const int t = threadIdx.x;
    const int first = blockIdx.x * PART;
    for (int k = t; k < PART; k += BLOCK) {
        part[k] = first + k < n ? in[first + k] : 0;
    }
    int step = 1;
    for (int nodes = BLOCK; nodes > 0; nodes /= 2, step *= 2) {
        __syncthreads();
        if (t < nodes) {
            part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
        }
    }
    __syncthreads();
    if (t == 0) {
        sums[blockIdx.x] = part[PART - 1];
        part[PART - 1] = 0;
    }
    for (int nodes = 1; nodes <= BLOCK; nodes *= 2) {
        step /= 2;
        __syncthreads();
        if (t < nodes) {
            const int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            const int before = part[right];
            part[right] += part[left];
            part[left] = before;
        }
    }
    __syncthreads();
    for (int k = t; k < PART; k += BLOCK) {
        if (first + k < n) {
            out[first + k] = part[k];
        }
    }
}

__global__ void addSums(const int *sums, int *out, int n)
{
    const int i = blockIdx.x * PART + threadIdx.x;
    const int sum = sums[blockIdx.x];
    for (int k = i; k < min(n, i + PART); k += BLOCK) {
        out[k] += sum;
    }
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + PART - 1) / PART;
    int *sums = nullptr, *before = nullptr;
    cudaMalloc(&sums, blocks * sizeof(int));
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, sums, n);
    if (blocks > 1) {
        cudaMalloc(&before, blocks * sizeof(int));
        exclusiveScan(sums, before, blocks);
        addSums<<<blocks, BLOCK>>>(before, d_out, n);
        cudaFree(before);
    }
    cudaFree(sums);
}

__global__ void flagPositive(const int *in, int *flags, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        flags[i] = in[i] > 0;
    }
}

__global__ void movePositive(const int *in, const int *places, int *out, int *count, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    int *flags = nullptr, *places = nullptr;
    cudaMalloc(&flags, n * sizeof(int));
    cudaMalloc(&places, n * sizeof(int));
    flagPositive<<<blocks, BLOCK>>>(d_in, flags, n);
    exclusiveScan(flags, places, n);
    movePositive<<<blocks, BLOCK>>>(d_in, places, d_out, d_count, n);
    cudaFree(flags);
    cudaFree(places);
}
