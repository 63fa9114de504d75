/* Kernels of all sorts around the one that is asked for: one fills the inputs, one clears C, one
 * compares in shared memory. */
#include <stdio.h>

#define A_WIDTH 512
#define A_HEIGHT 512
#define B_WIDTH 512
#define B_HEIGHT 512
#define BLOCK_SIZE 16
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];
__device__ float d_Reference[C_HEIGHT][C_WIDTH];
__device__ unsigned int differences;

__global__ void fill()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int j = i; j < A_WIDTH * A_HEIGHT; j += stride) {
        d_A[j / A_WIDTH][j % A_WIDTH] = (float)(j % 11);
    }
    for (int j = i; j < B_WIDTH * B_HEIGHT; j += stride) {
        d_B[j / B_WIDTH][j % B_WIDTH] = (float)(j % 7);
    }
}

__global__ void clear()
{
    d_C[blockIdx.y * blockDim.y + threadIdx.y][blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

__global__ void matrixMulCUDA()
{
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < A_WIDTH; k++) {
        sum += d_A[y][k] * d_B[k][x];
    }
    d_Reference[y][x] = sum;
}

__global__ void matrixMulShared()
{
    __shared__ float a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float b[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * BLOCK_SIZE + tx;
    int y = blockIdx.y * BLOCK_SIZE + ty;
    float sum = 0;
    for (int i = 0; i < A_WIDTH; i += BLOCK_SIZE) {
        a[ty][tx] = d_A[y][i + tx];
        b[ty][tx] = d_B[i + ty][x];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += a[ty][k] * b[k][tx];
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

/* Counts the elements that differ, with a sum over the block in shared memory. */
__global__ void compare()
{
    __shared__ unsigned int wrong[BLOCK_SIZE * BLOCK_SIZE];
    int x = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int y = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int t = threadIdx.y * BLOCK_SIZE + threadIdx.x;
    wrong[t] = d_C[y][x] != d_Reference[y][x] ? 1 : 0;
    __syncthreads();
    for (int half = BLOCK_SIZE * BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (t < half) {
            wrong[t] += wrong[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(&differences, wrong[0]);
    }
}

int main()
{
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE);
    unsigned int found = 0;

    fill<<<32, 128>>>();
    clear<<<grid, threads>>>();
    matrixMulShared<<<grid, threads>>>();
    matrixMulCUDA<<<grid, threads>>>();
    compare<<<grid, threads>>>();
    cudaMemcpyFromSymbol(&found, differences, sizeof(found));
    printf("%u differences, %s\n", found, cudaGetErrorString(cudaGetLastError()));

    int blocks = 0, held = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulShared,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    printf("Occupancy: %.3f\n", (float)blocks * BLOCK_SIZE * BLOCK_SIZE / held);
    return 0;
}
