/* The calculator's threads are rounded to the nearest power of four, which may be more. */
#include "matmul.h"

#include <stdio.h>

/* Columns of a block and of a tile, as kernels see it; its copy for the host. */
__constant__ int BLOCK_SIZE;
static int host_block_size;

int requiredSM(int threads_per_block)
{
    return 2 * threads_per_block * (int)sizeof(float);
}

__global__ void matrixMulDynamic(const float *A, const float *B, float *C, int a_width, int b_width)
{
    extern __shared__ float tiles[];
    const int edge = BLOCK_SIZE;
    float *tile_a = tiles;
    float *tile_b = tiles + edge * edge;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * edge + ty;
    const int column = blockIdx.x * edge + tx;

    float sum = 0.0f;
    for (int first = 0; first < a_width; first += edge) {
        tile_a[ty * edge + tx] = A[row * a_width + first + tx];
        tile_b[ty * edge + tx] = B[(first + ty) * b_width + column];
        __syncthreads();
        for (int k = 0; k < edge; k++) {
            sum += tile_a[ty * edge + k] * tile_b[k * edge + tx];
        }
        __syncthreads();
    }
    C[row * b_width + column] = sum;
}

int chooseBlockSize(void)
{
    int least_blocks = 0;
    int threads = 0;
    cudaError_t error = cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        &least_blocks, &threads, matrixMulDynamic, requiredSM);
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy: %s\n", cudaGetErrorString(error));
        return 0;
    }
    int edge = 1;
    while (2 * edge * edge <= threads) {
        edge *= 2;
    }
    error = cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof edge);
    if (error != cudaSuccess) {
        fprintf(stderr, "copying the block size: %s\n", cudaGetErrorString(error));
        return 0;
    }
    host_block_size = edge;
    printf("Block size: %d\n", edge);
    return edge;
}

void launchDynamic(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    const int edge = host_block_size;
    const dim3 threads(edge, edge);
    const dim3 blocks(shape.b_width / edge, shape.a_height / edge);
    matrixMulDynamic<<<blocks, threads, requiredSM(edge * edge)>>>(d_A, d_B, d_C, shape.a_width,
                                                                   shape.b_width);
}
