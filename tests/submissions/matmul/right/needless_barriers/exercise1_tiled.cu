/* A barrier after every product and a store of the sum so far in every phase: slow, but right. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float Ms[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Ns[BLOCK_SIZE][BLOCK_SIZE];
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;

    float value = 0;
    for (int phase = 0; phase < a_width / BLOCK_SIZE; ++phase) {
        Ms[threadIdx.y][threadIdx.x] = A[y * a_width + phase * BLOCK_SIZE + threadIdx.x];
        Ns[threadIdx.y][threadIdx.x] = B[(phase * BLOCK_SIZE + threadIdx.y) * b_width + x];
        __syncthreads();
        for (int step = 0; step < BLOCK_SIZE; ++step) {
            value += Ms[threadIdx.y][step] * Ns[step][threadIdx.x];
            __syncthreads();
        }
        C[y * b_width + x] = value;
    }
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
