/* Two pairs of tiles: the next pair is loaded while this one is used. */
#include "matmul_square.h"

#include <stdio.h>

/* Width of a tile and of a block. */
#define TILE_WIDTH 16

int tileWidth(void)
{
    return TILE_WIDTH;
}

__global__ void MatrixMulKernel(float *d_M, float *d_N, float *d_P, int Width)
{
    __shared__ float tile_m[2][TILE_WIDTH][TILE_WIDTH];
    __shared__ float tile_n[2][TILE_WIDTH][TILE_WIDTH];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE_WIDTH + ty;
    const int column = blockIdx.x * TILE_WIDTH + tx;

    float sum = 0.0f;
    tile_m[0][ty][tx] = d_M[row * Width + tx];
    tile_n[0][ty][tx] = d_N[ty * Width + column];
    for (int phase = 0; phase < Width / TILE_WIDTH; phase++) {
        const int now = phase % 2;
        const int next = (phase + 1) * TILE_WIDTH;
        __syncthreads();
        if (next < Width) {
            tile_m[1 - now][ty][tx] = d_M[row * Width + next + tx];
            tile_n[1 - now][ty][tx] = d_N[(next + ty) * Width + column];
        }
        for (int k = 0; k < TILE_WIDTH; k++) {
            sum += tile_m[now][ty][k] * tile_n[now][k][tx];
        }
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
            cudaDeviceGetAttribute(&threads_available, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    }
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return;
    }
    printf("Occupancy: %.4f\n", (double)(blocks * threads) / threads_available);
}
