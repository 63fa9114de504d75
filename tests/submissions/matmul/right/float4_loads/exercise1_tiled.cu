/* Tiles of 32 x 32 loaded by 32 x 8 threads, four floats at a time; rows start at multiples of 128
 * bytes. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 32

#define ROWS 8

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float4 left[BLOCK_SIZE][BLOCK_SIZE / 4];
    __shared__ float4 right[BLOCK_SIZE][BLOCK_SIZE / 4];
    int rank = threadIdx.y * BLOCK_SIZE + threadIdx.x;
    int load_row = rank / (BLOCK_SIZE / 4);
    int load_quad = rank % (BLOCK_SIZE / 4);
    int top = blockIdx.y * BLOCK_SIZE;
    int first_column = blockIdx.x * BLOCK_SIZE;

    float sums[BLOCK_SIZE / ROWS] = {0.0f};
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        const float4 *from_a =
            reinterpret_cast<const float4 *>(A + (top + load_row) * a_width + first);
        const float4 *from_b =
            reinterpret_cast<const float4 *>(B + (first + load_row) * b_width + first_column);
        left[load_row][load_quad] = from_a[load_quad];
        right[load_row][load_quad] = from_b[load_quad];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            float b = reinterpret_cast<const float *>(right[k])[threadIdx.x];
            for (int j = 0; j < BLOCK_SIZE / ROWS; j++) {
                sums[j] += reinterpret_cast<const float *>(left[threadIdx.y + j * ROWS])[k] * b;
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < BLOCK_SIZE / ROWS; j++) {
        C[(top + threadIdx.y + j * ROWS) * b_width + first_column + threadIdx.x] = sums[j];
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
