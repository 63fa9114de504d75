/* naive.cu: the multiplication that the exercises should beat. Every thread computes one element
 * of C and reads its whole row of A and column of B from global memory.
 *
 * Sizes are multiples of at least 8 and blocks are always 16 x 16, so threads at the edges check.
 */
#include "matmul.h"

enum { NAIVE_EDGE = 16 };

__global__ void matrixMulNaive(const float *A, const float *B, float *C, struct matmul_shape shape)
{
    const int row = blockIdx.y * NAIVE_EDGE + threadIdx.y;
    const int column = blockIdx.x * NAIVE_EDGE + threadIdx.x;
    if (row >= shape.a_height || column >= shape.b_width) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < shape.a_width; k++) {
        sum += A[row * shape.a_width + k] * B[k * shape.b_width + column];
    }
    C[row * shape.b_width + column] = sum;
}

void launchNaive(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(NAIVE_EDGE, NAIVE_EDGE);
    const dim3 blocks((shape.b_width + NAIVE_EDGE - 1) / NAIVE_EDGE,
                      (shape.a_height + NAIVE_EDGE - 1) / NAIVE_EDGE);
    matrixMulNaive<<<blocks, threads>>>(d_A, d_B, d_C, shape);
}
