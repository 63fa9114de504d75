/* A warm-up, then many launches in a loop for an average; the naive kernel last of all. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define A_WIDTH 256
#define A_HEIGHT 256
#define B_WIDTH 256
#define B_HEIGHT 256
#define BLOCK_SIZE 8

#define ROUNDS 5

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < A_WIDTH; k++) sum += d_A[y][k] * d_B[k][x];
    d_C[y][x] = sum;
}

__global__ void sharedMul()
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE], Bs[BLOCK_SIZE][BLOCK_SIZE];
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y, x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0;
    int i = 0;
    while (i < A_WIDTH / BLOCK_SIZE) {
        As[threadIdx.y][threadIdx.x] = d_A[y][i * BLOCK_SIZE + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = d_B[i * BLOCK_SIZE + threadIdx.y][x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
        i++;
    }
    d_C[y][x] = sum;
}

static float seconds(void (*kernel)(), int rounds)
{
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE), grid(B_WIDTH / BLOCK_SIZE, A_HEIGHT / BLOCK_SIZE);
    clock_t start = clock();
    for (int round = 0; round < rounds; round++) {
        kernel<<<grid, threads>>>();
    }
    cudaDeviceSynchronize();
    return (float)(clock() - start) / CLOCKS_PER_SEC / rounds;
}

int main(void)
{
    float *values = (float *)malloc(sizeof(float) * A_HEIGHT * A_WIDTH);
    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) values[i] = 1.0f / (i + 1);
    cudaMemcpyToSymbol(d_A, values, sizeof(float) * A_HEIGHT * A_WIDTH);
    free(values);
    values = (float *)calloc(B_HEIGHT, sizeof(float) * B_WIDTH);
    cudaMemcpyToSymbol(d_B, values, sizeof(float) * B_HEIGHT * B_WIDTH);
    free(values);

    seconds(sharedMul, 1);
    float tiled = seconds(sharedMul, ROUNDS);
    float naive = seconds(matrixMulCUDA, ROUNDS);
    printf("%g s against %g s: %.2f times as fast\n", tiled, naive, naive / tiled);

    cudaDeviceProp p;
    int n;
    cudaGetDeviceProperties(&p, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, sharedMul, BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("Occupancy: %.5f\n", (double)n * BLOCK_SIZE * BLOCK_SIZE /
                                    ((double)p.maxThreadsPerMultiProcessor * p.multiProcessorCount));
    return 0;
}
