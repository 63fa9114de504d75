/* Tiles of 8 x 8: a warp covers four rows. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 8

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float right[BLOCK_SIZE][BLOCK_SIZE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLOCK_SIZE + ty;
    int column = blockIdx.x * BLOCK_SIZE + tx;

    float sum = 0.0f;
    for (int tile = 0; tile < a_width / BLOCK_SIZE; tile++) {
        left[ty][tx] = A[row * a_width + tile * BLOCK_SIZE + tx];
        right[ty][tx] = B[(tile * BLOCK_SIZE + ty) * b_width + column];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += left[ty][k] * right[k][tx];
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
            cudaDeviceGetAttribute(&threads_available, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return;
    }
    printf("Occupancy: %.4f\n", (double)(blocks * threads) / threads_available);
}
