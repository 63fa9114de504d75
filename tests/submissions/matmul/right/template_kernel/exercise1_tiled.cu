/* The kernel is a template over the edge. */
#include "matmul.h"

#include <stdio.h>

#define BLOCK_SIZE 16

template <int EDGE>
__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float left[EDGE * EDGE];
    __shared__ float right[EDGE * EDGE];
    unsigned row = blockIdx.y * EDGE + threadIdx.y;
    unsigned column = blockIdx.x * EDGE + threadIdx.x;
    unsigned own = threadIdx.y * EDGE + threadIdx.x;

    float sum = 0.0f;
    for (unsigned at = 0; at < (unsigned)a_width; at += EDGE) {
        left[own] = A[row * a_width + at + threadIdx.x];
        right[own] = B[(at + threadIdx.y) * b_width + column];
        __syncthreads();
        for (unsigned k = 0; k < EDGE; k++) {
            sum += left[threadIdx.y * EDGE + k] * right[k * EDGE + threadIdx.x];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum;
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    matrixMulTiled<BLOCK_SIZE><<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    const int threads = BLOCK_SIZE * BLOCK_SIZE;
    int blocks = 0;
    int threads_available = 0;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, matrixMulTiled<BLOCK_SIZE>, threads, 0);
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
