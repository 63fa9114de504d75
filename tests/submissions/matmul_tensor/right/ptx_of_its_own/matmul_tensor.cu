// ldmatrix and mma by inline PTX: a warp computes 16 x 16 elements as two products of 16 x 8.
#include "matmul_tensor.h"

#include <stdint.h>

__device__ uint32_t address(const half *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void multiply_8(float d[4], uint32_t a0, uint32_t a1, uint32_t b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a0), "r"(a1), "r"(b));
}

__global__ void tiled(const half *a, const half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(16) half as[32][24];
    __shared__ __align__(16) half bs[16][40];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int top = warp / 2 * 16, left = warp % 2 * 16;
    float sum[2][4] = {};
    for (int step = 0; step < k; step += 16) {
        for (int i = threadIdx.x; i < 512; i += blockDim.x) {
            const int row = blockIdx.y * 32 + i / 16, column = blockIdx.x * 32 + i % 32;
            as[i / 16][i % 16] = row < m ? a[row * k + step + i % 16] : __ushort_as_half(0);
            bs[i / 32][i % 32] = column < n ? b[(step + i / 32) * n + column] : __ushort_as_half(0);
        }
        __syncthreads();
        uint32_t x[4], y[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(address(&as[top + lane % 16][lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                     : "r"(address(&bs[lane % 16][left + lane / 16 * 8])));
        for (int half_tile = 0; half_tile < 2; half_tile++) {
            multiply_8(sum[half_tile], x[0], x[1], y[2 * half_tile]);
            multiply_8(sum[half_tile], x[2], x[3], y[2 * half_tile + 1]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++) {
        const int row = blockIdx.y * 32 + top + lane / 4 + i / 2 % 2 * 8;
        const int column = blockIdx.x * 32 + left + i / 4 * 8 + lane % 4 * 2 + i % 2;
        if (row < m && column < n)
            c[row * n + column] = sum[i / 4][i % 4];
    }
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    tiled<<<dim3((n + 31) / 32, (m + 31) / 32), 128>>>(d_a, d_b, d_c, m, n, k);
}
