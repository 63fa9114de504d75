// Tiles are copied asynchronously, 16 bytes at a time, one step ahead.
#include "matmul_tensor.h"

#include <mma.h>
#include <cuda_pipeline.h>

using namespace nvcuda;

#define TILE 32
#define PITCH_A 24
#define PITCH_B 40

struct tiles {
    half a[TILE * PITCH_A];
    half b[16 * PITCH_B];
};

// 64 threads copy the tile of A, and 64 that of B; eight halves each. Beyond the matrices there are zeros.
__device__ void begin_copy(tiles *to, const half *a, const half *b, int step, int m, int n, int k)
{
    int i = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        int row = blockIdx.y * TILE + i / 2;
        bool is_there = row < m;
        __pipeline_memcpy_async(&to->a[i / 2 * PITCH_A + i % 2 * 8],
                                a + (is_there ? row * k + step + i % 2 * 8 : 0), 16,
                                is_there ? 0 : 16);
    } else {
        int column = blockIdx.x * TILE + i % 4 * 8;
        bool is_there = column < n;
        __pipeline_memcpy_async(&to->b[i / 4 * PITCH_B + i % 4 * 8],
                                b + (is_there ? (step + i / 4) * n + column : 0), 16,
                                is_there ? 0 : 16);
    }
    __pipeline_commit();
}

__global__ void multiply_tiles(const half *a, const half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(32) tiles both[2];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    int row = threadIdx.x / 64 * 16, column = threadIdx.x / 32 % 2 * 16;
    begin_copy(&both[0], a, b, 0, m, n, k);
    for (int step = 0; step < k; step += 16) {
        tiles *now = &both[step / 16 % 2];
        if (step + 16 < k) {
            begin_copy(&both[(step / 16 + 1) % 2], a, b, step + 16, m, n, k);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        wmma::load_matrix_sync(x, now->a + row * PITCH_A, PITCH_A);
        wmma::load_matrix_sync(y, now->b + column, PITCH_B);
        wmma::mma_sync(sum, x, y, sum);
        __syncthreads();
    }
    row += blockIdx.y * TILE;
    column += blockIdx.x * TILE;
    if (row < m && column < n)
        wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply_tiles<<<grid, 128>>>(d_a, d_b, d_c, m, n, k);
}
