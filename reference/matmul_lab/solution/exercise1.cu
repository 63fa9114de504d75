/* Exercise 1, reference solution: one thread per element of C, square tiles in static shared
 * memory; the naive kernel runs too, for comparison. */
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* C = A x B. Each of these is one #define with one number, which you may change: every size has to
 * be a multiple of BLOCK_SIZE. The matrices need not be square. */
#define A_WIDTH 1024
#define A_HEIGHT 1024
#define B_WIDTH 1024
#define B_HEIGHT 1024
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT

#define BLOCK_SIZE 16
#define NUM_SUBS (A_WIDTH / BLOCK_SIZE)

/* The matrices in device memory, row by row: d_A[row][column]. */
__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

static float h_A[A_HEIGHT][A_WIDTH];
static float h_B[B_HEIGHT][B_WIDTH];
static float h_C[C_HEIGHT][C_WIDTH];
static float h_C_ref[C_HEIGHT][C_WIDTH];

/* The naive product: each thread reads a whole row of A and a whole column of B. Given. */
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

__global__ void matrixMulCUDASharedMemory()
{
    __shared__ float tile_A[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tile_B[BLOCK_SIZE][BLOCK_SIZE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * BLOCK_SIZE + tx;
    int y = blockIdx.y * BLOCK_SIZE + ty;

    float sum = 0;
    for (int sub = 0; sub < NUM_SUBS; sub++) {
        tile_A[ty][tx] = d_A[y][sub * BLOCK_SIZE + tx];
        tile_B[ty][tx] = d_B[sub * BLOCK_SIZE + ty][x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += tile_A[ty][k] * tile_B[k][tx];
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

/* Counts the elements in which the device and the host differ by more than a millionth. */
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

/* Waits for the kernel launched since then; returns the milliseconds it took. */
float stopTimer()
{
    float milliseconds;

    cudaEventRecord(stop);
    cudaDeviceSynchronize();
    checkCUDAError("the kernel");
    cudaEventElapsedTime(&milliseconds, start, stop);
    return milliseconds;
}

/* The threads that a multiprocessor can hold with this kernel, divided by the most it can hold. */
void printOccupancy()
{
    const int threads = BLOCK_SIZE * BLOCK_SIZE;
    int blocks = 0;
    cudaDeviceProp properties;

    cudaGetDeviceProperties(&properties, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulCUDASharedMemory, threads, 0);
    checkCUDAError("the occupancy");
    printf("Occupancy: %.4f\n", (double)blocks * threads / properties.maxThreadsPerMultiProcessor);
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

    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    startTimer();
    matrixMulCUDA<<<grid, threads>>>();
    float naive = stopTimer();
    startTimer();
    matrixMulCUDASharedMemory<<<grid, threads>>>();
    float tiled = stopTimer();
    printOccupancy();

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
