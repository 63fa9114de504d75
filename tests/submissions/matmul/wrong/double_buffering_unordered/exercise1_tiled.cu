/* Two pairs of tiles take turns, but nobody waits until the next pair is loaded. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[2][BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float right[2][BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLOCK_SIZE + ty;
    int column = blockIdx.x * BLOCK_SIZE + tx;
    int tiles = a_width / BLOCK_SIZE;

    left[0][ty][tx] = A[row * a_width + tx];
    right[0][ty][tx] = B[ty * b_width + column];
    __syncthreads();
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        int now = tile & 1;
        int next = tile + 1;
        float next_a = 0.0f, next_b = 0.0f;
        if (next < tiles) {
            next_a = A[row * a_width + next * BLOCK_SIZE + tx];
            next_b = B[(next * BLOCK_SIZE + ty) * b_width + column];
        }
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += left[now][ty][k] * right[now][k][tx];
        }
        left[1 - now][ty][tx] = next_a;
        right[1 - now][ty][tx] = next_b;
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
