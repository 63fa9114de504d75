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

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

static float h_A[A_HEIGHT][A_WIDTH];
static float h_B[B_HEIGHT][B_WIDTH];
static float h_C[C_HEIGHT][C_WIDTH];
static float h_C_ref[C_HEIGHT][C_WIDTH];

__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;

    float Csub = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        Csub += d_A[y][k] * d_B[k][x];
    }
    d_C[y][x] = Csub;
}

int requiredSM(int threadsPerBlock)
{
    return 2 * threadsPerBlock * threadsPerBlock * sizeof(float);
}

__global__ void matrixMulCUDASharedMemory()
{
    extern __shared__ float tiles[];
    const int edge = BLOCK_SIZE;
    float *tile_A = tiles;
    float *tile_B = tiles + edge * edge;

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * edge + tx;
    int y = blockIdx.y * edge + ty;

    float sum = 0;
    for (int first = 0; first < A_WIDTH; first += edge) {
        tile_A[ty * edge + tx] = d_A[y][first + tx];
        tile_B[ty * edge + tx] = d_B[first + ty][x];
        __syncthreads();
        for (int k = 0; k < edge; k++) {
            sum += tile_A[ty * edge + k] * tile_B[k * edge + tx];
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

void checkCUDAError(const char *what)
{
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

void matrixMulCPU()
{
    for (int y = 0; y < C_HEIGHT; y++) {
        for (int x = 0; x < C_WIDTH; x++) {
            float sum = 0;
            for (int k = 0; k < A_WIDTH; k++) {
                sum += h_A[y][k] * h_B[k][x];
            }
            h_C_ref[y][x] = sum;
        }
    }
}

int matrixMulTest()
{
    int errors = 0;
    for (int y = 0; y < C_HEIGHT; y++) {
        for (int x = 0; x < C_WIDTH; x++) {
            float difference = fabsf(h_C[y][x] - h_C_ref[y][x]);
            if (!(difference <= 1e-6f * fabsf(h_C_ref[y][x]))) {
                errors++;
            }
        }
    }
    return errors;
}

static cudaEvent_t start, stop;

void startTimer()
{
    cudaEventRecord(start);
}

float stopTimer()
{
    float milliseconds;

    cudaEventRecord(stop);
    cudaDeviceSynchronize();
    checkCUDAError("the kernel");
    cudaEventElapsedTime(&milliseconds, start, stop);
    return milliseconds;
}

int chooseBlockSize()
{
    int least_blocks = 0;
    int threads = 0;

    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least_blocks, &threads,
                                                   matrixMulCUDASharedMemory, requiredSM);
    checkCUDAError("choosing a block size");
    threads = (int)pow(4, floor(log(threads) / log(4)));
    return (int)sqrt(threads);
}

int main()
{
    for (int y = 0; y < A_HEIGHT; y++) {
        for (int x = 0; x < A_WIDTH; x++) {
            h_A[y][x] = (float)(rand() % 10);
        }
    }
    for (int y = 0; y < B_HEIGHT; y++) {
        for (int x = 0; x < B_WIDTH; x++) {
            h_B[y][x] = (float)(rand() % 10);
        }
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));
    checkCUDAError("copying to the device");

    int edge = chooseBlockSize();
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof(edge));
    checkCUDAError("copying the block size");
    printf("Block size: %d\n", edge);

    dim3 threads(edge, edge);
    dim3 grid(C_WIDTH / edge, C_HEIGHT / edge);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    startTimer();
    matrixMulCUDA<<<grid, threads>>>();
    float naive = stopTimer();
    startTimer();
    matrixMulCUDASharedMemory<<<grid, threads, requiredSM(edge * edge)>>>();
    float tiled = stopTimer();

    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    checkCUDAError("copying from the device");
    matrixMulCPU();
    int errors = matrixMulTest();
    if (errors > 0) {
        printf("%d elements are wrong\n", errors);
    } else {
        printf("Test passed\n");
    }
    printf("naive %.3f ms, tiled %.3f ms\n", naive, tiled);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
