/* A program of the days of CUDA 5: every name of it that newer toolkits have dropped. */
#include <stdio.h>
#include <stdlib.h>

#define A_WIDTH 256
#define A_HEIGHT 256
#define B_WIDTH 256
#define B_HEIGHT 256
#define BLOCK_SIZE 16

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

__global__ void matrixMulShared(void)
{
    __shared__ float a[BLOCK_SIZE][BLOCK_SIZE], b[BLOCK_SIZE][BLOCK_SIZE];
    int x = __mul24(blockIdx.x, BLOCK_SIZE) + threadIdx.x;
    int y = __mul24(blockIdx.y, BLOCK_SIZE) + threadIdx.y;
    float sum = 0.0f;
    int i, k;
    for (i = 0; i < A_WIDTH; i += BLOCK_SIZE) {
        a[threadIdx.y][threadIdx.x] = d_A[y][i + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[i + threadIdx.y][x];
        __syncthreads();
        for (k = 0; k < BLOCK_SIZE; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    d_C[y][x] = sum;
}

static void describe(const struct cudaDeviceProp *prop)
{
    printf("clock rate %d kHz, memory clock rate %d kHz\n", prop->clockRate, prop->memoryClockRate);
    printf("overlap %d, compute mode %d, timeout %d\n", prop->deviceOverlap, prop->computeMode,
           prop->kernelExecTimeoutEnabled);
}

int main(int argc, char **argv)
{
    int count = 0, device;
    struct cudaDeviceProp prop;
    cudaGetDeviceCount(&count);
    for (device = 0; device < count; device++) {
        cudaGetDeviceProperties(&prop, device);
        describe(&prop);
    }
    cudaThreadSetCacheConfig(cudaFuncCachePreferShared);
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE, 1);
    dim3 grid(B_WIDTH / threads.x, A_HEIGHT / threads.y, 1);
    matrixMulShared <<< grid, threads >>> ();
    if (cudaThreadSynchronize() != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    int active = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, matrixMulShared,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("Occupancy: %.4f\n",
           active * BLOCK_SIZE * BLOCK_SIZE / (float)prop.maxThreadsPerMultiProcessor);
    cudaThreadExit();
    return 0;
}
