/* Blocks of 32 x 8 threads for tiles of 32 x 32: every thread has four rows, its sums in registers.
 */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 32

#define ROWS 8
#define PER_THREAD (BLOCK_SIZE / ROWS)

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float right[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int top = blockIdx.y * BLOCK_SIZE;
    int column = blockIdx.x * BLOCK_SIZE + tx;

    float sums[PER_THREAD] = {0.0f};
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        for (int part = 0; part < PER_THREAD; part++) {
            int y = ty + part * ROWS;
            left[y][tx] = A[(top + y) * a_width + first + tx];
            right[y][tx] = B[(first + y) * b_width + column];
        }
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            float from_b = right[k][tx];
            for (int part = 0; part < PER_THREAD; part++) {
                sums[part] += left[ty + part * ROWS][k] * from_b;
            }
        }
        __syncthreads();
    }
    for (int part = 0; part < PER_THREAD; part++) {
        C[(top + ty + part * ROWS) * b_width + column] = sums[part];
    }
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, ROWS);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    matrixMulTiled<<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    const int threads = BLOCK_SIZE * ROWS;
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
