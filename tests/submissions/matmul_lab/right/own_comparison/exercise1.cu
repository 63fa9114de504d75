/* The naive kernel runs first and last; results are compared bit by bit with !=, which fused
 * multiplications make fail, and then the program ends with a failure of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A_WIDTH 256
#define A_HEIGHT 256
#define B_WIDTH 256
#define B_HEIGHT 256
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
#define BLOCK_SIZE 16

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

float h_A[A_HEIGHT][A_WIDTH];
float h_B[B_HEIGHT][B_WIDTH];
float h_C[C_HEIGHT][C_WIDTH];
float h_C_ref[C_HEIGHT][C_WIDTH];

__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        sum += d_A[y][k] * d_B[k][x];
    }
    d_C[y][x] = sum;
}

__global__ void matrixMulShared()
{
    __shared__ float a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float b[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * BLOCK_SIZE + tx, y = blockIdx.y * BLOCK_SIZE + ty;
    float sum = 0;
    for (int i = 0; i < A_WIDTH / BLOCK_SIZE; i++) {
        a[ty][tx] = d_A[y][i * BLOCK_SIZE + tx];
        b[ty][tx] = d_B[i * BLOCK_SIZE + ty][x];
        __syncthreads();
        float part = 0;
        for (int k = 0; k < BLOCK_SIZE; k++) {
            part += a[ty][k] * b[k][tx];
        }
        sum += part;
        __syncthreads();
    }
    d_C[y][x] = sum;
}

int main()
{
    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        (&h_A[0][0])[i] = rand() / (float)RAND_MAX;
    }
    for (int i = 0; i < B_HEIGHT * B_WIDTH; i++) {
        (&h_B[0][0])[i] = rand() / (float)RAND_MAX;
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE), grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    matrixMulCUDA<<<grid, threads>>>();
    matrixMulShared<<<grid, threads>>>();
    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    matrixMulCUDA<<<grid, threads>>>();
    cudaMemcpyFromSymbol(h_C_ref, d_C, sizeof(h_C_ref));

    cudaDeviceProp prop;
    int active;
    cudaGetDeviceProperties(&prop, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, matrixMulShared,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("Occupancy: %f\n", (double)(active * BLOCK_SIZE * BLOCK_SIZE) /
                                  prop.maxThreadsPerMultiProcessor);
    if (memcmp(h_C, h_C_ref, sizeof(h_C)) != 0) {
        fprintf(stderr, "Test FAILED\n");
        exit(EXIT_FAILURE);
    }
    return 0;
}
