/* Calls wrapped in a macro, a launch with blanks in its brackets, names that newer toolkits removed,
 * the lab sheet's own formula. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define A_WIDTH 1024
#define A_HEIGHT 2048
#define B_WIDTH 4096
#define B_HEIGHT A_WIDTH
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
#define BLOCK_SIZE 8
#define NUM_SUBS (A_WIDTH / BLOCK_SIZE)

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t status = (call);                                                         \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(status));                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

float h_A[A_HEIGHT][A_WIDTH], h_B[B_HEIGHT][B_WIDTH], h_C[C_HEIGHT][C_WIDTH];

__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0.f;
    for (int k = 0; k < A_WIDTH; k++)
        sum += d_A[y][k] * d_B[k][x];
    d_C[y][x] = sum;
}

__global__ void matrixMulTiles()
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.f;
    for (int i = 0; i < NUM_SUBS; ++i) {
        int a_x = i * BLOCK_SIZE + tx, a_y = by * BLOCK_SIZE + ty;
        int b_x = bx * BLOCK_SIZE + tx, b_y = i * BLOCK_SIZE + ty;
        As[ty][tx] = d_A[a_y][a_x];
        Bs[ty][tx] = d_B[b_y][b_x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    d_C[by * BLOCK_SIZE + ty][bx * BLOCK_SIZE + tx] = sum;
}

int main(int argc, char **argv)
{
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    printf("%s: %d MHz, memory %.1f GB/s\n", prop.name, prop.clockRate / 1000,
           2.0 * prop.memoryClockRate * (prop.memoryBusWidth / 8) / 1.0e6);

    for (int i = 0; i < A_HEIGHT; i++)
        for (int j = 0; j < A_WIDTH; j++)
            h_A[i][j] = (float)rand() / RAND_MAX;
    for (int i = 0; i < B_HEIGHT; i++)
        for (int j = 0; j < B_WIDTH; j++)
            h_B[i][j] = (float)rand() / RAND_MAX;
    CHECK(cudaMemcpyToSymbol(d_A, h_A, sizeof h_A));
    CHECK(cudaMemcpyToSymbol(d_B, h_B, sizeof h_B));

    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    matrixMulTiles<< <grid, threads >> >();
    CHECK(cudaGetLastError());
    CHECK(cudaThreadSynchronize());
    CHECK(cudaMemcpyFromSymbol(h_C, d_C, sizeof h_C));

    double occupancy =
        (double)(prop.maxBlocksPerMultiProcessor * BLOCK_SIZE * BLOCK_SIZE) /
        (double)(prop.maxThreadsPerMultiProcessor * prop.multiProcessorCount);
    printf("Occupancy: %f\n", occupancy);
    printf("Test PASSED (%f)\n", h_C[0][0]);
    CHECK(cudaThreadExit());
    return 0;
}
