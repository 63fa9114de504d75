/* simple.cu: the multiplication without tiles. Every thread computes one element of P and reads its
 * whole row of M and column of N from global memory: 2 Width loads for Width multiply-adds.
 *
 * Its blocks are as wide as the tiles that it is compared with, so both need the same sizes.
 */
#include "matmul_square.h"

__global__ void MatrixMulSimple(const float *d_M, const float *d_N, float *d_P, int Width)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < Width; k++) {
        sum += d_M[row * Width + k] * d_N[k * Width + column];
    }
    d_P[row * Width + column] = sum;
}

void launchSimple(const float *d_M, const float *d_N, float *d_P, int Width, int edge)
{
    const dim3 threads(edge, edge);
    const dim3 blocks(Width / edge, Width / edge);
    MatrixMulSimple<<<blocks, threads>>>(d_M, d_N, d_P, Width);
}
