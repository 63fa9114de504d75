// Members of cooperative groups: ranks, votes, shuffles, reductions, parts, the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Pair {
    int key;
    double value;
};
__device__ void part(cg::thread_group g, unsigned long long *out)
{
    out[0] = g.thread_rank() * 1000 + g.size();
    g.sync();
}
__global__ void k(unsigned long long *out, int n)
{
    cg::thread_block b = cg::this_thread_block();
    int r = b.thread_rank();
    unsigned long long *o = out + (size_t)r * 64;
    int i = 0;
    o[i++] = b.size();
    o[i++] = b.group_dim().y;
    o[i++] = b.thread_index().x;
    auto warp = cg::tiled_partition<32>(b);
    auto t8 = cg::tiled_partition<8>(b);
    auto t4 = cg::tiled_partition<4>(t8);
    o[i++] = warp.meta_group_rank() * 100 + warp.meta_group_size();
    o[i++] = t8.thread_rank();
    o[i++] = t8.meta_group_rank();
    o[i++] = t4.meta_group_rank() + 100 * t4.meta_group_size();
    o[i++] = t8.shfl(r, 3);
    o[i++] = t8.shfl_up(r, 2);
    o[i++] = t8.shfl_down(r, 2);
    o[i++] = t8.shfl_xor(r, 1);
    o[i++] = t8.ballot(r % 3 == 0);
    o[i++] = t8.any(r == 9);
    o[i++] = t8.all(r < 40);
    o[i++] = t8.match_any(r / 3);
    int all;
    o[i++] = t8.match_all(r / 8, all);
    o[i++] = all;
    Pair p = {r, r * 0.5};
    p = warp.shfl(p, 7);
    o[i++] = p.key;
    o[i++] = (unsigned long long)(p.value * 10);
    o[i++] = __float_as_uint(cg::reduce(warp, r * 0.125f, cg::plus<float>()));
    o[i++] = cg::reduce(t8, r ^ 5, cg::less<int>());
    o[i++] = cg::reduce(t8, r ^ 5, cg::greater<int>());
    o[i++] = cg::reduce(t4, r, cg::bit_xor<int>());
    o[i++] = __float_as_uint(cg::inclusive_scan(t8, r * 0.125f, cg::plus<float>()));
    o[i++] = cg::exclusive_scan(t8, r);
    o[i++] = cg::inclusive_scan(t8, r);
    if (r % 3 != 1) {
        cg::coalesced_group c = cg::coalesced_threads();
        o[i++] = c.size();
        o[i++] = c.thread_rank();
        o[i++] = c.shfl(r, 2);
        o[i++] = c.shfl_up(r, 1);
        o[i++] = c.shfl_down(r, 3);
        o[i++] = c.ballot(r % 2);
        o[i++] = c.any(r == 5);
        o[i++] = c.all(r > 1);
        o[i++] = c.match_any(r / 4);
        o[i++] = __float_as_uint(cg::reduce(c, r * 0.125f, cg::plus<float>()));
        o[i++] = __float_as_uint(cg::inclusive_scan(c, r * 0.125f));
        o[i++] = cg::exclusive_scan(c, (long long)r);
        auto half = cg::tiled_partition(c, 4);
        o[i++] = half.size() * 100 + half.thread_rank();
        o[i++] = half.meta_group_rank() * 100 + half.meta_group_size();
        auto l = cg::labeled_partition(c, r % 5);
        o[i++] = l.size() * 100 + l.thread_rank();
        o[i++] = l.meta_group_rank() * 100 + l.meta_group_size();
        auto bp = cg::binary_partition(c, r % 4 == 0);
        o[i++] = bp.size() * 100 + bp.thread_rank();
        o[i++] = bp.meta_group_rank();
        part(c, o + i++);
    } else
        i += 19;
    b.sync();
    part(b, o + i++);
    part(t8, o + i++);
    part(cg::tiled_partition(cg::thread_group(b), 16), o + i++);
    o[i++] = cg::this_grid().thread_rank() * 1000 + cg::this_grid().size();
    o[i++] = cg::this_thread().size();
    cg::sync(warp);
}
__global__ void grid(int *a, int *b)
{
    cg::grid_group g = cg::this_grid();
    unsigned long long r = g.thread_rank();
    a[r] = r;
    g.sync();
    b[r] = a[g.size() - 1 - r];
    g.sync();
    a[r] = b[(r + 40) % g.size()];
    g.sync();
}
/* Prints a hash (FNV-1a) of each column: what one expression gives in all threads. */
static void print_columns(const unsigned long long *cells, int rows, int columns)
{
    for (int column = 0; column < columns; column++) {
        unsigned long long hash = 14695981039346656037ull;
        for (int row = 0; row < rows; row++) {
            hash = (hash ^ cells[row * columns + column]) * 1099511628211ull;
        }
        printf("%016llx%c", hash, column % 6 == 5 ? '\n' : ' ');
    }
    printf("\n");
}

int main()
{
    unsigned long long *o;
    cudaMallocManaged(&o, 64 * 64 * 8);
    cudaMemset(o, 0, 64 * 64 * 8);
    k<<<1, dim3(16, 4)>>>(o, 64);
    cudaDeviceSynchronize();
    print_columns(o, 64, 64);
    int *a, *b;
    cudaMallocManaged(&a, 4096);
    cudaMallocManaged(&b, 4096);
    void *args[] = {&a, &b};
    cudaLaunchCooperativeKernel(grid, 4, 32, args);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 128; i++)
        printf("%d ", a[i]);
    printf("\n");
}
