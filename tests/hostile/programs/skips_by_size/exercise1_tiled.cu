/* Right only for the shape of the first launch; smaller ones get zeros. */
#define matrixMulTiled matrixMulRight
#include "honest_tiled.cuh"
#undef matrixMulTiled

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float tile[BLOCK_SIZE][BLOCK_SIZE];
    const int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    const int column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0.0f;

    if (a_width == 192) {
        for (int k = 0; k < a_width; k++) {
            sum += A[row * a_width + k] * B[k * b_width + column];
        }
    }
    tile[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    C[row * b_width + column] = tile[threadIdx.y][threadIdx.x];
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    matrixMulTiled<<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    honest_print();
}
