/* Small device functions compute every index; tiles are one-dimensional. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__device__ static inline int flat(int row, int column, int width)
{
    return row * width + column;
}

__device__ static inline int global_row(void)
{
    return blockIdx.y * blockDim.y + threadIdx.y;
}

__device__ static inline int global_column(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static float dot(const float *row, const float *column)
{
    float sum = 0.0f;
    for (int k = 0; k < BLOCK_SIZE; k++) {
        sum += row[k] * column[flat(k, 0, BLOCK_SIZE)];
    }
    return sum;
}

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[BLOCK_SIZE * BLOCK_SIZE];
    __shared__ float right[BLOCK_SIZE * BLOCK_SIZE];
    int here = flat(threadIdx.y, threadIdx.x, BLOCK_SIZE);

    float sum = 0.0f;
    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        left[here] = A[flat(global_row(), first + threadIdx.x, a_width)];
        right[here] = B[flat(first + threadIdx.y, global_column(), b_width)];
        __syncthreads();
        sum += dot(left + flat(threadIdx.y, 0, BLOCK_SIZE), right + threadIdx.x);
        __syncthreads();
    }
    C[flat(global_row(), global_column(), b_width)] = sum;
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
