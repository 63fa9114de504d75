/* Exercise 1: from a naive matrix product to one through tiles in shared memory. See README.md. */
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

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
    /* TODO 1: declare a tile of A and a tile of B, both BLOCK_SIZE x BLOCK_SIZE, in shared memory.
     * TODO 2: loop over the NUM_SUBS pairs of tiles. For each pair:
     *           every thread loads one element of each tile;
     *           wait until the block has loaded both;
     *           add the products of this pair to a sum in a local variable;
     *           wait until the block has finished with both.
     * TODO 3: store the sum in d_C. */
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

/* Counts the elements in which the device and the host differ. Sums of products of small whole
 * numbers are exact; for other values, compare with an epsilon. */
int matrixMulTest()
{
    int errors = 0;
    for (int y = 0; y < C_HEIGHT; y++) {
        for (int x = 0; x < C_WIDTH; x++) {
            if (h_C[y][x] != h_C_ref[y][x]) {
                errors++;
            }
        }
    }
    return errors;
}

int main()
{
    cudaEvent_t start, stop;
    float milliseconds;

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

    cudaEventCreate(&start);
    cudaEventCreate(&stop);

    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    cudaEventRecord(start);
    /* TODO 4: launch your kernel instead, and compare the times. */
    matrixMulCUDA<<<grid, threads>>>();
    cudaEventRecord(stop);
    cudaThreadSynchronize();
    checkCUDAError("the kernel");
    cudaEventElapsedTime(&milliseconds, start, stop);

    /* TODO 5: work out the occupancy of your kernel and print one line
     *           Occupancy: <number> */

    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    checkCUDAError("copying from the device");
    matrixMulCPU();
    int errors = matrixMulTest();
    if (errors > 0) {
        printf("%d elements are wrong\n", errors);
    } else {
        printf("Test passed\n");
    }
    printf("Execution time: %f ms\n", milliseconds);

    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
