/* The product of two matrices of halves, on tensor cores: a block of four warps computes a tile of
 * 32 x 32 of C, and each warp a quarter of it.
 *
 * In each step along k the threads of the block load a tile of A and a tile of B into shared memory,
 * so what a warp reads from there has been loaded once for two warps.
 */
#include "matmul_tensor.h"

#include <mma.h>

using namespace nvcuda;

enum {
    EDGE = 16,       /* of the tile of C that a warp computes, and the depth of a step */
    TILE = 2 * EDGE, /* of the tile of C that a block computes */
    THREADS = 4 * 32,
    A_PITCH = EDGE + 8, /* of a tile's rows in shared memory: without 8 more, rows of 32 bytes would
                           lie in the same banks */
    B_PITCH = TILE + 8
};

__global__ void multiplyTiles(const half *a, const half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(32) half tile_a[TILE * A_PITCH];
    __shared__ __align__(32) half tile_b[EDGE * B_PITCH];
    const int warp = threadIdx.x / 32;
    const int row = warp % 2 * EDGE; /* of the warp's tile in that of the block */
    const int column = warp % 2 * EDGE;
    const int first_row = blockIdx.y * TILE;
    const int first_column = blockIdx.x * TILE;
    const half zero = __float2half(0.0f);

    wmma::fragment<wmma::matrix_a, EDGE, EDGE, EDGE, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, EDGE, EDGE, EDGE, half, wmma::row_major> fragment_b;
    wmma::fragment<wmma::accumulator, EDGE, EDGE, EDGE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int step = 0; step < k; step += EDGE) {
        /* Places outside of A and B hold zeros. */
        for (int i = threadIdx.x; i < TILE * EDGE; i += THREADS) {
            const int y = first_row + i / EDGE;
            const int x = step + i % EDGE;
            tile_a[i / EDGE * A_PITCH + i % EDGE] = y < m ? a[y * k + x] : zero;
        }
        for (int i = threadIdx.x; i < EDGE * TILE; i += THREADS) {
            const int y = step + i / TILE;
            const int x = first_column + i % TILE;
            tile_b[i / TILE * B_PITCH + i % TILE] = x < n ? b[y * n + x] : zero;
        }
        __syncthreads(); /* the tiles are complete */
        wmma::load_matrix_sync(fragment_a, &tile_a[row * A_PITCH], A_PITCH);
        wmma::load_matrix_sync(fragment_b, &tile_b[column], B_PITCH);
        wmma::mma_sync(sum, fragment_a, fragment_b, sum);
        __syncthreads(); /* no warp needs the tiles any more */
    }
    /* A whole warp goes one way here: all of its tile lies in C, or none of it. */
    if (first_row + row < m && first_column + column < n) {
        float *target = &c[(first_row + row) * n + first_column + column];
        wmma::store_matrix_sync(target, sum, n, wmma::mem_row_major);
    }
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiplyTiles<<<blocks, THREADS>>>(d_a, d_b, d_c, m, n, k);
}
