/* Two kernels share the tiles, which are declared outside of them, and the second one, which is
 * launched last of the two, does not wait before it overwrites them; a naive one runs after it. */
#include <stdio.h>

#define A_WIDTH 256
#define A_HEIGHT 256
#define B_WIDTH 256
#define B_HEIGHT 256
#define BLOCK_SIZE 16

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

static float host_A[A_HEIGHT][A_WIDTH];
static float host_B[B_HEIGHT][B_WIDTH];

__shared__ float a[BLOCK_SIZE][BLOCK_SIZE];
__shared__ float b[BLOCK_SIZE][BLOCK_SIZE];

__global__ void multiplyTiles()
{
    int column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0;

    for (int tile = 0; tile < A_WIDTH; tile += BLOCK_SIZE) {
        a[threadIdx.y][threadIdx.x] = d_A[row][tile + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[tile + threadIdx.y][column];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[row][column] = sum;
}

__device__ float sumOfTiles(int length)
{
    float sum = 0;

    for (int k = length - 1; k >= 0; k--) {
        sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    }
    return sum;
}

/* The same from the other end. */
__global__ void multiplyBackwards()
{
    int column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    float sum = 0;

    for (int tile = A_WIDTH - BLOCK_SIZE; tile >= 0; tile -= BLOCK_SIZE) {
        a[threadIdx.y][threadIdx.x] = d_A[row][tile + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[tile + threadIdx.y][column];
        __syncthreads();
        sum += sumOfTiles(BLOCK_SIZE);
    }
    d_C[row][column] = sum;
}

__global__ void multiplyNaive()
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    for (int k = 0; k < A_WIDTH; k++) {
        sum += d_A[row][k] * d_B[k][column];
    }
    d_C[row][column] = sum;
}

int main()
{
    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(B_WIDTH / BLOCK_SIZE, A_HEIGHT / BLOCK_SIZE);
    cudaEvent_t begin, end;
    float ms = 0;
    int blocks = 0;
    cudaDeviceProp gpu;

    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        host_A[i / A_WIDTH][i % A_WIDTH] = (float)(i % 5);
    }
    for (int i = 0; i < B_HEIGHT * B_WIDTH; i++) {
        host_B[i / B_WIDTH][i % B_WIDTH] = (float)(i % 3);
    }
    cudaMemcpyToSymbol(d_A, host_A, sizeof(host_A));
    cudaMemcpyToSymbol(d_B, host_B, sizeof(host_B));

    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    multiplyTiles<<<grid, block>>>();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("%f ms, %s\n", ms, cudaGetErrorString(cudaGetLastError()));

    multiplyBackwards<<<grid, block>>>();
    multiplyNaive<<<grid, block>>>();
    cudaDeviceSynchronize();

    cudaGetDeviceProperties(&gpu, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiplyTiles, BLOCK_SIZE * BLOCK_SIZE,
                                                  0);
    printf("Occupancy: %.4f\n",
           (double)blocks * BLOCK_SIZE * BLOCK_SIZE / gpu.maxThreadsPerMultiProcessor);
    return 0;
}
