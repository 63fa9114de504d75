#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
using namespace cooperative_groups;
namespace cg = cooperative_groups;
__device__ int reduce_sum(thread_group g, int *temp, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync();
        if (lane < i) val += temp[lane + i];
        g.sync();
    }
    return val;
}
template <int tile_sz> __device__ int reduce_tile(thread_block_tile<tile_sz> g, int val)
{
    for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
    return val;
}
__global__ void sum(int *out, const int *in)
{
    extern __shared__ int temp[];
    auto g = this_thread_block();
    int s = reduce_sum(g, temp, in[threadIdx.x]);
    if (g.thread_rank() == 0) atomicAdd(&out[0], s);
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int t = reduce_tile<16>(tile, in[block.thread_rank()]);
    if (tile.thread_rank() == 0) atomicAdd(&out[1], t);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int r = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
    int mx = cg::reduce(warp, in[threadIdx.x], cg::greater<int>());
    if (warp.thread_rank() == 0) { atomicAdd(&out[2], r); atomicMax(&out[3], mx); }
    if (threadIdx.x % 2) { coalesced_group active = coalesced_threads(); if (active.thread_rank() == 0) atomicAdd(&out[4], active.size()); }
    if (warp.any(threadIdx.x == 40) && warp.thread_rank() == 0) out[5] = warp.meta_group_rank();
    block.sync(); cg::sync(block);
    if (block.group_index().x == 0 && block.thread_index().x == 0) out[6] = block.group_dim().x;
}
int main()
{
    int *in, *out; cudaMallocManaged(&in, 64 * 4); cudaMallocManaged(&out, 32);
    for (int i = 0; i < 64; i++) in[i] = i + 1;
    cudaMemset(out, 0, 32);
    sum<<<1, 64, 64 * sizeof(int)>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; i++) printf("%d\n", out[i]);
}
/* exit status 0, findings: none
2080
2080
2080
64
32
1
64
*/
