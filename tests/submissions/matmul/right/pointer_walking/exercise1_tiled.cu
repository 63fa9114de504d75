/* Pointers walk along A and down B; no index is computed in the loop. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float right[BLOCK_SIZE][BLOCK_SIZE];
    const int offset_in_row = threadIdx.x;
    const float *from_a = A + (blockIdx.y * BLOCK_SIZE + threadIdx.y) * a_width + offset_in_row;
    const float *from_b = B + threadIdx.y * b_width + blockIdx.x * BLOCK_SIZE + offset_in_row;
    const float *const end_of_row = from_a - offset_in_row + a_width;
    float *to_a = &left[threadIdx.y][threadIdx.x];
    float *to_b = &right[threadIdx.y][threadIdx.x];

    float sum = 0.0f;
    do {
        *to_a = *from_a;
        *to_b = *from_b;
        __syncthreads();
        const float *along = left[threadIdx.y];
        const float *down = &right[0][threadIdx.x];
        for (int steps = BLOCK_SIZE; steps > 0; steps--) {
            sum += *along * *down;
            along++;
            down += BLOCK_SIZE;
        }
        __syncthreads();
        from_a += BLOCK_SIZE;
        from_b += BLOCK_SIZE * b_width;
    } while (from_a < end_of_row);
    C[(blockIdx.y * BLOCK_SIZE + threadIdx.y) * b_width + blockIdx.x * BLOCK_SIZE + threadIdx.x] =
        sum;
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
