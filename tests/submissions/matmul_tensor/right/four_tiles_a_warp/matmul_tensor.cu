// Each warp computes 2 x 2 tiles, each block 64 x 64; steps of 32 along k.
#include "matmul_tensor.h"

#include <mma.h>

using namespace nvcuda;

#define TILE 64
#define DEPTH 32
#define PITCH_A (DEPTH + 8)
#define PITCH_B (TILE + 8)

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> part_a;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> part_b;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> part_c;

__global__ void product(const half *a, const half *b, float *c, int m, int n, int k)
{
    extern __shared__ __align__(32) half tiles[];
    half *tile_a = tiles;
    half *tile_b = tiles + TILE * PITCH_A;
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    int y = threadIdx.y / 2 * 32, x = threadIdx.y % 2 * 32;
    int thread = threadIdx.y * 32 + threadIdx.x;
    part_c sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0.0f);
    for (int first = 0; first < k; first += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += 128) {
            int row = top + i / DEPTH, at = first + i % DEPTH;
            tile_a[i / DEPTH * PITCH_A + i % DEPTH] =
                row < m && at < k ? a[row * k + at] : __float2half(0);
        }
        for (int i = thread; i < TILE * DEPTH; i += 128) {
            int at = first + i / TILE, column = left + i % TILE;
            tile_b[i / TILE * PITCH_B + i % TILE] =
                at < k && column < n ? b[at * n + column] : __float2half(0);
        }
        __syncthreads();
        for (int step = 0; step < DEPTH; step += 16) {
            part_a as[2];
            part_b bs[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(as[i], tile_a + (y + 16 * i) * PITCH_A + step, PITCH_A);
                wmma::load_matrix_sync(bs[i], tile_b + step * PITCH_B + x + 16 * i, PITCH_B);
            }
            for (int i = 0; i < 4; i++)
                wmma::mma_sync(sums[i / 2][i % 2], as[i / 2], bs[i % 2], sums[i / 2][i % 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int row = top + y + i / 2 * 16, column = left + x + i % 2 * 16;
        if (row < m && column < n)
            wmma::store_matrix_sync(c + row * n + column, sums[i / 2][i % 2], n,
                                    wmma::mem_row_major);
    }
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    size_t bytes = (TILE * PITCH_A + DEPTH * PITCH_B) * sizeof(half);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    product<<<grid, dim3(32, 4), bytes>>>(d_a, d_b, d_c, m, n, k);
}
