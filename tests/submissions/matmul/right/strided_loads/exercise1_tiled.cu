/* Sixteen columns, four rows of threads; all of them load the tiles in strides, as one line of 64.
 */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

#define ROWS 4

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[BLOCK_SIZE * BLOCK_SIZE];
    __shared__ float right[BLOCK_SIZE * BLOCK_SIZE];
    int rank = threadIdx.y * blockDim.x + threadIdx.x;
    int count = blockDim.x * blockDim.y;
    const float *strip_a = A + blockIdx.y * BLOCK_SIZE * a_width;
    const float *strip_b = B + blockIdx.x * BLOCK_SIZE;

    float sums[BLOCK_SIZE / ROWS] = {0.0f};
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        for (int i = rank; i < BLOCK_SIZE * BLOCK_SIZE; i += count) {
            int y = i / BLOCK_SIZE, x = i % BLOCK_SIZE;
            left[i] = strip_a[y * a_width + first + x];
            right[i] = strip_b[(first + y) * b_width + x];
        }
        __syncthreads();
        for (int j = 0; j < BLOCK_SIZE / ROWS; j++) {
            for (int k = 0; k < BLOCK_SIZE; k++) {
                sums[j] += left[(threadIdx.y + j * ROWS) * BLOCK_SIZE + k] *
                           right[k * BLOCK_SIZE + threadIdx.x];
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < BLOCK_SIZE / ROWS; j++) {
        int row = blockIdx.y * BLOCK_SIZE + threadIdx.y + j * ROWS;
        C[row * b_width + blockIdx.x * BLOCK_SIZE + threadIdx.x] = sums[j];
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
