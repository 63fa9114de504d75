// The tile of B is stored column by column, and loaded so.
#include "matmul_tensor.h"

#include <mma.h>

using namespace nvcuda;

const int T = 32;

__global__ void kernel(const half *a, const half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(32) half as[T][24], bs[T][24];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    const int w = threadIdx.x / 32, ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    for (int s = 0; s < k; s += 16) {
        for (int r = ty; r < T; r += 8)
            as[r][tx] = row0 + r < m ? a[(row0 + r) * k + s + tx] : half(0);
        for (int r = threadIdx.x / 32; r < 16; r += 4)
            bs[threadIdx.x % 32][r] =
                col0 + threadIdx.x % 32 < n ? b[(s + r) * n + col0 + threadIdx.x % 32] : half(0);
        __syncthreads();
        wmma::load_matrix_sync(fa, &as[w / 2 * 16][0], 24);
        wmma::load_matrix_sync(fb, &bs[w % 2 * 16][0], 24);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    const int row = row0 + w / 2 * 16, col = col0 + w % 2 * 16;
    if (row < m && col < n)
        wmma::store_matrix_sync(&c[row * n + col], fc, n, wmma::mem_row_major);
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    kernel<<<dim3((n + T - 1) / T, (m + T - 1) / T), 128>>>(d_a, d_b, d_c, m, n, k);
}
