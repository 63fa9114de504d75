// A template over the shape of fragments: 32 x 8 or 8 x 32, and scratch for B by columns.
#include "matmul_tensor.h"

#include <mma.h>

using namespace nvcuda;

// Copies B column by column into scratch memory.
__global__ void transpose(const half *b, half *out, int n, int k)
{
    __shared__ half tile[16][17];
    tile[threadIdx.y][threadIdx.x] = b[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 16 + threadIdx.y) * k + blockIdx.y * 16 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}

template <int M, int N>
__global__ void product(const half *a, const half *columns, float *c, int m, int n, int k)
{
    __shared__ __align__(32) half rows[32 * 16], cols[32 * 16];
    __shared__ __align__(32) float out[32 * 32];
    const int warp = threadIdx.x / 32;
    const int y = N == 8 ? 0 : warp * M, x = N == 8 ? warp * N : 0;
    wmma::fragment<wmma::matrix_a, M, N, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int step = 0; step < k; step += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            const int row = blockIdx.y * 32 + i / 16, column = blockIdx.x * 32 + i / 16;
            rows[i] = row < m ? a[row * k + step + i % 16] : __float2half(0.0f);
            cols[i] = column < n ? columns[column * k + step + i % 16] : __float2half(0.0f);
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, rows + y * 16, 16);
        wmma::load_matrix_sync(fb, cols + x * 16, 16);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(out + x * 32 + y, sum, 32, wmma::mem_col_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 128) {
        const int row = blockIdx.y * 32 + i / 32, column = blockIdx.x * 32 + i % 32;
        if (row < m && column < n) {
            c[row * n + column] = out[i % 32 * 32 + i / 32];
        }
    }
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    const dim3 grid((n + 31) / 32, (m + 31) / 32);
    half *columns;
    cudaMalloc(&columns, sizeof(half) * n * k);
    transpose<<<dim3(n / 16, k / 16), dim3(16, 16)>>>(d_b, columns, n, k);
    if (m > n) {
        product<32, 8><<<grid, 128>>>(d_a, columns, d_c, m, n, k);
    } else {
        product<8, 32><<<grid, 128>>>(d_a, columns, d_c, m, n, k);
    }
    cudaFree(columns);
}
