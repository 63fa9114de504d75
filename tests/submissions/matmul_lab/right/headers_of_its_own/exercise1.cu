/* Sizes, matrices and helpers live in headers; sizes are guarded by #ifndef. */
#include "matrices.cuh"

#include <stdio.h>

__global__ void product()
{
    __shared__ float a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float b[BLOCK_SIZE][BLOCK_SIZE];
    const int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    const int column = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0;
    for (int sub = 0; sub * BLOCK_SIZE < A_WIDTH; sub++) {
        a[threadIdx.y][threadIdx.x] = d_A[row][sub * BLOCK_SIZE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[sub * BLOCK_SIZE + threadIdx.y][column];
        __syncthreads();
        sum += dot(a[threadIdx.y], b, threadIdx.x);
        __syncthreads();
    }
    d_C[row][column] = sum;
}

#if A_WIDTH % BLOCK_SIZE != 0
#error "A_WIDTH must be a multiple of BLOCK_SIZE"
#endif

static float a[A_HEIGHT][A_WIDTH], b[B_HEIGHT][B_WIDTH], c[A_HEIGHT][B_WIDTH];

int main()
{
    for (int k = 0; k < A_WIDTH; k++) {
        a[0][k] = b[k][0] = 1;
    }
    cudaMemcpyToSymbol(d_A, a, sizeof a);
    cudaMemcpyToSymbol(d_B, b, sizeof b);
    product<<<dim3(B_WIDTH / BLOCK_SIZE, A_HEIGHT / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>();
    cudaMemcpyFromSymbol(c, d_C, sizeof c);
    printf("c[0][0] = %g, expected %d\n", c[0][0], A_WIDTH);

    int blocks = 0, most = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, product, BLOCK_SIZE * BLOCK_SIZE, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    printf("Occupancy: %d%%\n", 100 * blocks * BLOCK_SIZE * BLOCK_SIZE / most);
}
