#include "reduction.h"

#include <climits>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int threads = 256, blocks = 64;

/* One launch: the grid waits for the partial results of all blocks. */
template <typename T, typename Join>
__device__ void reduceGrid(const T *in, T *partial, T *out, int n, T start, Join join)
{
    __shared__ T warps[threads / 32];
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);

    T value = start;
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size())
        value = join(value, in[i]);
    value = cg::reduce(warp, value, join);
    if (warp.thread_rank() == 0)
        warps[warp.meta_group_rank()] = value;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int w = 1; w < threads / 32; w++)
            value = join(value, warps[w]);
        partial[blockIdx.x] = value;
    }
    grid.sync();
    if (grid.thread_rank() < 32) {
        value = start;
        for (int b = warp.thread_rank(); b < gridDim.x; b += 32)
            value = join(value, partial[b]);
        value = cg::reduce(warp, value, join);
        if (warp.thread_rank() == 0)
            *out = value;
    }
}

__global__ void sumGrid(const float *in, float *partial, float *out, int n)
{
    reduceGrid(in, partial, out, n, 0.0f, cg::plus<float>());
}

__global__ void maxGrid(const int *in, int *partial, int *out, int n)
{
    reduceGrid(in, partial, out, n, INT_MIN, cg::greater<int>());
}

template <typename T>
static void launch(void (*kernel)(const T *, T *, T *, int), const T *d_in, T *d_out, int n)
{
    T *d_partial;
    cudaMalloc(&d_partial, blocks * sizeof(T));
    void *arguments[] = {&d_in, &d_partial, &d_out, &n};
    cudaLaunchCooperativeKernel((void *)kernel, blocks, threads, arguments, 0, 0);
    cudaFree(d_partial);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    launch(sumGrid, d_in, d_out, n);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    launch(maxGrid, d_in, d_out, n);
}
