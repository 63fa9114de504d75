/* The edge and the number of tiles are both in constant memory; padding against conflicts. */
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

__constant__ int BLOCK_SIZE;
__constant__ int NUM_SUBS;

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

float h_A[A_HEIGHT][A_WIDTH];
float h_B[B_HEIGHT][B_WIDTH];
float h_C[C_HEIGHT][C_WIDTH];

void checkCUDAError(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "CUDA ERROR: %s: %s.\n", msg, cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

int requiredSM(int TPB)
{
    int edge = (int)sqrt((double)TPB);
    return edge * (edge + 1) * 2 * sizeof(float);
}

__global__ void matrixMulCUDASharedMemory()
{
    extern __shared__ float sm[];
    int pitch = BLOCK_SIZE + 1;
    float *As = sm;
    float *Bs = &sm[BLOCK_SIZE * pitch];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * BLOCK_SIZE + tx;
    int y = blockIdx.y * BLOCK_SIZE + ty;
    float Csub = 0;
    for (int i = 0; i < NUM_SUBS; i++) {
        As[ty * pitch + tx] = d_A[y][i * BLOCK_SIZE + tx];
        Bs[ty * pitch + tx] = d_B[i * BLOCK_SIZE + ty][x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            Csub += As[ty * pitch + k] * Bs[k * pitch + tx];
        }
        __syncthreads();
    }
    d_C[y][x] = Csub;
}

int main()
{
    for (int y = 0; y < A_HEIGHT; y++) {
        for (int x = 0; x < A_WIDTH; x++) {
            h_A[y][x] = (float)rand() / RAND_MAX;
        }
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));
    checkCUDAError("memcpy");

    int minGridSize, threadsPerBlock;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &threadsPerBlock,
                                                   matrixMulCUDASharedMemory, requiredSM, 0);
    checkCUDAError("occupancy");
    threadsPerBlock = (int)pow(4, floor(log(threadsPerBlock) / log(4)));
    int blockSize = (int)sqrt(threadsPerBlock);
    int numSubs = A_WIDTH / blockSize;
    cudaMemcpyToSymbol(BLOCK_SIZE, &blockSize, sizeof(int));
    cudaMemcpyToSymbol(NUM_SUBS, &numSubs, sizeof(int));
    checkCUDAError("constants");
    printf("Block size: %d\n", blockSize);

    dim3 threads(blockSize, blockSize);
    dim3 grid(C_WIDTH / blockSize, C_HEIGHT / blockSize);
    matrixMulCUDASharedMemory<<<grid, threads, requiredSM(threadsPerBlock)>>>();
    cudaDeviceSynchronize();
    checkCUDAError("CUDA kernel execution");
    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    return 0;
}
