/* Optional, reference solution: all of A and B is in the shared memory of a single block. */
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#include <stdio.h>
#include <stdlib.h>

/* C = A x B. One block has a thread for each element of C, so C has at most 1024 elements; A is
 * at most as wide as C, and B at most as high. */
#define A_WIDTH 8
#define A_HEIGHT 24
#define B_WIDTH 32
#define B_HEIGHT 8
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

static float h_A[A_HEIGHT][A_WIDTH];
static float h_B[B_HEIGHT][B_WIDTH];
static float h_C[C_HEIGHT][C_WIDTH];

__global__ void matrixMulCUDASingleBlock()
{
    __shared__ float all_A[A_HEIGHT][A_WIDTH];
    __shared__ float all_B[B_HEIGHT][B_WIDTH];

    int x = threadIdx.x;
    int y = threadIdx.y;

    if (x < A_WIDTH) {
        all_A[y][x] = d_A[y][x];
    }
    if (y < B_HEIGHT) {
        all_B[y][x] = d_B[y][x];
    }
    __syncthreads();

    float sum = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        sum += all_A[y][k] * all_B[k][x];
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

    dim3 threads(C_WIDTH, C_HEIGHT);
    matrixMulCUDASingleBlock<<<1, threads>>>();
    cudaDeviceSynchronize();
    checkCUDAError("the kernel");

    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    checkCUDAError("copying from the device");
    for (int y = 0; y < C_HEIGHT; y++) {
        for (int x = 0; x < C_WIDTH; x++) {
            float sum = 0;
            for (int k = 0; k < A_WIDTH; k++) {
                sum += h_A[y][k] * h_B[k][x];
            }
            if (h_C[y][x] != sum) {
                printf("the element in row %d, column %d is wrong\n", y, x);
                return 1;
            }
        }
    }
    printf("Test passed\n");
    return 0;
}
