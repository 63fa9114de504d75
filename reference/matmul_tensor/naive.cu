/* naive.cu: the version without tensor cores. Each thread computes one element of C, in float, from
 * global memory.
 */
#include "matmul_tensor.h"

enum { NAIVE_EDGE = 16 };

__global__ void naiveMultiplyElement(const half *a, const half *b, float *c, int n, int k)
{
    const int row = blockIdx.y * NAIVE_EDGE + threadIdx.y;
    const int column = blockIdx.x * NAIVE_EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) {
        sum += __half2float(a[row * k + i]) * __half2float(b[i * n + column]);
    }
    c[row * n + column] = sum;
}

void naiveMultiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    const dim3 blocks(n / NAIVE_EDGE, m / NAIVE_EDGE);
    naiveMultiplyElement<<<blocks, dim3(NAIVE_EDGE, NAIVE_EDGE)>>>(d_a, d_b, d_c, n, k);
}
