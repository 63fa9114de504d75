/* cooperative_groups scans tiles of 32; a template for the step that makes values of elements. */
#include "scan.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct Same {
    __device__ int operator()(int x) const
    {
        return x;
    }
};

struct Positive {
    __device__ int operator()(int x) const
    {
        return x > 0 ? 1 : 0;
    }
};

enum { THREADS = 256, TILES = THREADS / 32 };

template <typename F> __global__ void scanGroups(const int *in, int *out, int *sums, int n, F f)
{
    __shared__ int tiles[TILES];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int own = i < n ? f(in[i]) : 0;
    const int before = cg::exclusive_scan(tile, own);
    if (tile.thread_rank() == 31) {
        tiles[tile.meta_group_rank()] = before + own;
    }
    block.sync();
    int offset = 0;
    for (int k = 0; k < tile.meta_group_rank(); k++) {
        offset += tiles[k];
    }
    if (i < n) {
        out[i] = offset + before;
    }
    if (threadIdx.x < 32) {
        const int sum = cg::reduce(tile, tile.thread_rank() < TILES ? tiles[tile.thread_rank()] : 0,
                                   cg::plus<int>());
        if (threadIdx.x == 0) {
            sums[blockIdx.x] = sum;
        }
    }
}

__global__ void addOffsets(int *out, const int *offsets, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        out[i] += offsets[blockIdx.x];
    }
}

template <typename F> static void scanWith(const int *in, int *out, int n, F f)
{
    const int blocks = (n + THREADS - 1) / THREADS;
    int *sums = nullptr, *offsets = nullptr;
    cudaMallocAsync(&sums, blocks * sizeof(int), nullptr);
    scanGroups<<<blocks, THREADS>>>(in, out, sums, n, f);
    if (blocks > 1) {
        cudaMallocAsync(&offsets, blocks * sizeof(int), nullptr);
        scanWith(sums, offsets, blocks, Same());
        addOffsets<<<blocks, THREADS>>>(out, offsets, n);
        cudaFreeAsync(offsets, nullptr);
    }
    cudaFreeAsync(sums, nullptr);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scanWith(d_in, d_out, n, Same());
}

__global__ void gather(const int *in, const int *places, int n, int *out, int *count)
{
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        if (in[i] > 0) {
            out[places[i]] = in[i];
        }
        if (i == n - 1) {
            *count = places[i] + (in[i] > 0);
        }
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *places = nullptr;
    cudaMallocAsync(&places, n * sizeof(int), nullptr);
    scanWith(d_in, places, n, Positive());
    gather<<<40, THREADS>>>(d_in, places, n, d_out, d_count);
    cudaFreeAsync(places, nullptr);
}
