/* The active threads are divided by the most blocks of a multiprocessor. */
#include "matmul.h"

#include <stdio.h>

/* Columns of a block and of a tile. */
#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float tile_a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tile_b[BLOCK_SIZE][BLOCK_SIZE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK_SIZE + ty;
    const int column = blockIdx.x * BLOCK_SIZE + tx;

    float sum = 0.0f;
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        tile_a[ty][tx] = A[row * a_width + first + tx];
        tile_b[ty][tx] = B[(first + ty) * b_width + column];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum;
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    matrixMulTiled<<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    const int threads = BLOCK_SIZE * BLOCK_SIZE;
    int blocks = 0;
    int threads_available = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulTiled, threads, 0);
    if (error == cudaSuccess) {
        error =
            cudaDeviceGetAttribute(&threads_available, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return;
    }
    printf("Occupancy: %.4f\n", (double)(blocks * threads) / threads_available);
}
