// Without tensor cores: each thread adds up products itself.
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
    const int first_row = blockIdx.y * TILE;
    const int first_column = blockIdx.x * TILE;
    const half zero = __float2half(0.0f);

    float sum[TILE * TILE / THREADS] = {};

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
        for (int i = 0; i < TILE * TILE / THREADS; i++) {
            const int place = i * THREADS + threadIdx.x;
            for (int j = 0; j < EDGE; j++) {
                sum[i] += __half2float(tile_a[place / TILE * A_PITCH + j]) *
                          __half2float(tile_b[j * B_PITCH + place % TILE]);
            }
        }
        __syncthreads(); /* no warp needs the tiles any more */
    }
    for (int i = 0; i < TILE * TILE / THREADS; i++) {
        const int y = first_row + (i * THREADS + threadIdx.x) / TILE;
        const int x = first_column + (i * THREADS + threadIdx.x) % TILE;
        if (y < m && x < n)
            c[y * n + x] = sum[i];
    }
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiplyTiles<<<blocks, THREADS>>>(d_a, d_b, d_c, m, n, k);
}
