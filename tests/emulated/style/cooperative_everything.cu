#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdio.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;
__device__ int atomicAggInc(int *ctr)
{
    auto g = coalesced_threads();
    int warp_res;
    if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size());
    return g.shfl(warp_res, 0) + g.thread_rank();
}
__device__ int reduce_sum(thread_group g, int *temp, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) { temp[lane] = val; g.sync(); if (lane < i) val += temp[lane + i]; g.sync(); }
    return val;
}
template <int tile_sz> __device__ int reduce_sum_tile_shfl(thread_block_tile<tile_sz> g, int val)
{
    for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
    return val;
}
__global__ void blocks(int *out)
{
    __shared__ int temp[128];
    thread_block block = this_thread_block();
    int v = reduce_sum(block, temp, block.thread_rank());
    if (block.thread_rank() == 0) out[0] = v;
    block.sync();
    auto tile32 = cg::tiled_partition<32>(block);
    auto tile8 = cg::tiled_partition<8>(tile32);
    int s = reduce_sum_tile_shfl<32>(tile32, threadIdx.x);
    int r = cg::reduce(tile8, (int)threadIdx.x, cg::plus<int>());
    int m = cg::reduce(tile32, (int)threadIdx.x, cg::greater<int>());
    int sc = cg::inclusive_scan(tile32, 1);
    thread_group g4 = tiled_partition(this_thread_block(), 4);
    if (threadIdx.x == 33) { out[1] = r; out[2] = m; out[3] = sc; out[4] = g4.thread_rank() + 10 * g4.size(); out[5] = tile32.meta_group_rank() * 100 + tile32.meta_group_size(); }
    if (threadIdx.x == 64) out[6] = s;
    if (threadIdx.x % 2) { int k = atomicAggInc(&out[7]); (void)k; }
    unsigned seen = tile32.ballot(threadIdx.x == 5); if (tile32.any(threadIdx.x == 5)) { if (tile32.thread_rank() == 0) out[8] = seen + 1; }
    cg::sync(block);
    if (threadIdx.x < 3) { cg::coalesced_group c = cg::coalesced_threads(); int t = cg::reduce(c, 5, cg::plus<int>()); if (c.thread_rank() == 2) out[9] = t; }
    if (block.group_index().x == 0 && block.thread_index().x == 7) out[10] = block.group_dim().x;
}
__global__ void gridwide(int *data, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) data[(s + 1) % 2 * n + i] = data[s % 2 * n + (i + 1) % n] + 1;
        grid.sync();
    }
}
int main()
{
    int *d; cudaMallocManaged(&d, 64 * sizeof(int)); cudaMemset(d, 0, 256);
    blocks<<<1, 128>>>(d); cudaDeviceSynchronize();
    for (int i = 0; i < 11; i++) printf("%d ", d[i]); printf("\n");
    int n = 200, steps = 4, *e; cudaMallocManaged(&e, 2 * n * sizeof(int));
    for (int i = 0; i < 2 * n; i++) e[i] = i;
    void *args[] = {&e, &n, &steps};
    int ok = 0; cudaDeviceGetAttribute(&ok, cudaDevAttrCooperativeLaunch, 0);
    if (ok) cudaLaunchCooperativeKernel((void *)gridwide, dim3(2), dim3(64), args, 0, 0);
    cudaDeviceSynchronize();
    printf("%d %d %d %s\n", e[0], e[1], e[n - 1], cudaGetErrorString(cudaGetLastError()));
}

/* exit status 0, findings: none
8128 284 63 2 41 104 2544 64 33 15 128 
8 9 7 no error
*/
