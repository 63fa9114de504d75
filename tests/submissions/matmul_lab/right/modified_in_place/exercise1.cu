/* The given kernel itself became the tiled one; there is no other. */
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define A_WIDTH 1024
#define A_HEIGHT 1024
#define B_WIDTH 1024
#define B_HEIGHT 1024
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT

#define BLOCK_SIZE 16
#define NUM_SUBS (A_WIDTH / BLOCK_SIZE)

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

static float h_A[A_HEIGHT][A_WIDTH];
static float h_B[B_HEIGHT][B_WIDTH];
static float h_C[C_HEIGHT][C_WIDTH];

__global__ void matrixMulCUDA()
{
    __shared__ float subA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float subB[BLOCK_SIZE][BLOCK_SIZE];

    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;

    float Csub = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        int inside = k % BLOCK_SIZE;
        if (inside == 0) {
            __syncthreads();
            subA[threadIdx.y][threadIdx.x] = d_A[y][k + threadIdx.x];
            subB[threadIdx.y][threadIdx.x] = d_B[k + threadIdx.y][x];
            __syncthreads();
        }
        Csub += subA[threadIdx.y][inside] * subB[inside][threadIdx.x];
    }
    d_C[y][x] = Csub;
}

int main()
{
    for (int y = 0; y < A_HEIGHT; y++) {
        for (int x = 0; x < A_WIDTH; x++) {
            h_A[y][x] = sinf((float)(y + x));
        }
    }
    for (int y = 0; y < B_HEIGHT; y++) {
        for (int x = 0; x < B_WIDTH; x++) {
            h_B[y][x] = cosf((float)(y * x));
        }
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    matrixMulCUDA<<<grid, threads>>>();
    cudaThreadSynchronize();
    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    printf("C[0][0] is %f\n", h_C[0][0]);

    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, 0);
    int maxActive;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&maxActive, matrixMulCUDA,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    float occupancy = (maxActive * BLOCK_SIZE * BLOCK_SIZE / deviceProp.warpSize) /
                      (float)(deviceProp.maxThreadsPerMultiProcessor / deviceProp.warpSize);
    printf("Theoretical limits of the block size %d\n", BLOCK_SIZE);
    printf("Occupancy: %f\n", occupancy);
    return 0;
}
