/* The printout is written first; the kernel and its launch are still empty. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
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
