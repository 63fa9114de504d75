#include "matmul_square.h"

#include <stdio.h>

#define TILE_WIDTH 16

int tileWidth(void)
{
    return TILE_WIDTH;
}

__global__ void MatrixMulKernel(float *d_M, float *d_N, float *d_P, int Width)
{
    __shared__ float tile_m[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tile_n[TILE_WIDTH][TILE_WIDTH];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE_WIDTH + ty;
    const int column = blockIdx.x * TILE_WIDTH + tx;

    float sum = 0.0f;
    for (int phase = 0; phase < Width / TILE_WIDTH; phase++) {
        tile_m[ty][tx] = d_M[row * Width + phase * TILE_WIDTH + tx];
        tile_n[ty][tx] = d_N[(phase * TILE_WIDTH + ty) * Width + column];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++) {
            sum += tile_m[ty][k] * tile_n[k][tx];
        }
        __syncthreads();
    }
    d_P[row * Width + column] = sum;
}

void launchTiled(float *d_M, float *d_N, float *d_P, int Width)
{
    const dim3 threads(TILE_WIDTH, TILE_WIDTH);
    const dim3 blocks(Width / TILE_WIDTH, Width / TILE_WIDTH);
    MatrixMulKernel<<<blocks, threads>>>(d_M, d_N, d_P, Width);
}

void printOccupancy(void)
{
    const int threads = TILE_WIDTH * TILE_WIDTH;
    int blocks = 0;
    int threads_available = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, MatrixMulKernel, threads, 0);
    if (error == cudaSuccess) {
        error =
            cudaDeviceGetAttribute(&threads_available, cudaDevAttrMaxThreadsPerBlock, 0);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return;
    }
    printf("Occupancy: %.4f\n", (double)(blocks * threads) / threads_available);
}
