/* Tiles are read four floats at a time, two tiles in one turn. In some builds the kernel takes 32
 * registers and in others 37, with which a block of 1024 threads is not the best any more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define A_WIDTH 512
#define A_HEIGHT 256
#define B_WIDTH 768
#define B_HEIGHT 512

__constant__ int BLOCK_SIZE;

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

static float h_A[A_HEIGHT][A_WIDTH];
static float h_B[B_HEIGHT][B_WIDTH];
static float h_C[A_HEIGHT][B_WIDTH];

/* The second tile is kept transposed, so that a column of it lies in a row. */
__global__ void multiply_by_fours(void)
{
    extern __shared__ float tiles[];
    const int edge = BLOCK_SIZE;
    const int column = blockIdx.x * edge + threadIdx.x;
    const int row = blockIdx.y * edge + threadIdx.y;
    float *a = tiles;
    float *b = tiles + edge * edge;
    float sums[4] = {0, 0, 0, 0};

#pragma unroll 2
    for (int start = 0; start < A_WIDTH; start += edge) {
        a[threadIdx.y * edge + threadIdx.x] = d_A[row][start + threadIdx.x];
        b[threadIdx.x * edge + threadIdx.y] = d_B[start + threadIdx.y][column];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < edge; k += 4) {
            const float4 left = *(const float4 *)&a[threadIdx.y * edge + k];
            const float4 right = *(const float4 *)&b[threadIdx.x * edge + k];
            sums[0] += left.x * right.x;
            sums[1] += left.y * right.y;
            sums[2] += left.z * right.z;
            sums[3] += left.w * right.w;
        }
        __syncthreads();
    }
    d_C[row][column] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static int tile_bytes(int threads)
{
    return 2 * threads * (int)sizeof(float);
}

static int best_edge(void)
{
    int grid = 0;
    int threads = 0;

    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &threads, multiply_by_fours, tile_bytes);
    return (int)sqrt(pow(4, floor(log(threads) / log(4))));
}

int main(void)
{
    for (int i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        (&h_A[0][0])[i] = (float)(rand() % 10);
    }
    for (int i = 0; i < B_HEIGHT * B_WIDTH; i++) {
        (&h_B[0][0])[i] = (float)(rand() % 10);
    }
    cudaMemcpyToSymbol(d_A, h_A, sizeof(h_A));
    cudaMemcpyToSymbol(d_B, h_B, sizeof(h_B));

    const int edge = best_edge();
    const dim3 block(edge, edge);
    const dim3 grid(B_WIDTH / edge, A_HEIGHT / edge);
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof(edge));
    printf("Block size: %d\n", edge);
    multiply_by_fours<<<grid, block, tile_bytes(edge * edge)>>>();
    cudaMemcpyFromSymbol(h_C, d_C, sizeof(h_C));
    printf("%.1f\n", h_C[0][0]);
    return 0;
}
