/* Times a template with tiles of several sizes before it uses the one with N. */
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

template <int N> __global__ void multiplyTiles()
{
    __shared__ float a[N][N];
    __shared__ float b[N][N];
    int column = blockIdx.x * N + threadIdx.x;
    int row = blockIdx.y * N + threadIdx.y;
    float sum = 0;

    for (int tile = 0; tile < A_WIDTH; tile += N) {
        a[threadIdx.y][threadIdx.x] = d_A[row][tile + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[tile + threadIdx.y][column];
        __syncthreads();
        for (int k = 0; k < N; k++) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[row][column] = sum;
}

template <int N> static void timeTiles()
{
    cudaEvent_t begin, end;
    float ms = 0;

    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (int round = 0; round < 4; round++) {
        multiplyTiles<N><<<dim3(B_WIDTH / N, A_HEIGHT / N), dim3(N, N)>>>();
    }
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("tiles of %d: %f ms, %s\n", N, ms / 4, cudaGetErrorString(cudaGetLastError()));
}

int main()
{
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
    timeTiles<2>();
    timeTiles<4>();
    timeTiles<8>();
    timeTiles<BLOCK_SIZE>();

    cudaGetDeviceProperties(&gpu, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiplyTiles<BLOCK_SIZE>,
                                                  BLOCK_SIZE * BLOCK_SIZE, 0);
    printf("Occupancy: %.4f\n",
           (double)blocks * BLOCK_SIZE * BLOCK_SIZE / gpu.maxThreadsPerMultiProcessor);
    return 0;
}
