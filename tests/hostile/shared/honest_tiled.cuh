/* honest_tiled.cuh: exercise 1 done right, in pieces, for programs that do something else besides.
 * With WRONG_KERNEL the kernel computes something wrong: then no trick may make it pass.
 * RESULT(sum) says what is stored in place of the sum. */
#ifndef HONEST_TILED_CUH
#define HONEST_TILED_CUH

#include "matmul.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 16

#ifdef WRONG_KERNEL
#define RESULT(sum) ((sum) + 1.0f)
#elif !defined(RESULT)
#define RESULT(sum) (sum)
#endif

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    __shared__ float tile_a[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tile_b[BLOCK_SIZE][BLOCK_SIZE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK_SIZE + ty;
    const int column = blockIdx.x * BLOCK_SIZE + tx;
    float sum = 0.0f;

    for (int first = 0; first < a_width; first += BLOCK_SIZE) {
        tile_a[ty][tx] = A[row * a_width + first + tx];
        tile_b[ty][tx] = B[(first + ty) * b_width + column];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    C[row * b_width + column] = RESULT(sum);
}

static inline void honest_launch(const float *d_A, const float *d_B, float *d_C,
                                 struct matmul_shape shape)
{
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    matrixMulTiled<<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

static inline double honest_occupancy(void)
{
    const int threads = BLOCK_SIZE * BLOCK_SIZE;
    int blocks = 0;
    int available = 1;
    (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMulTiled, threads, 0);
    (void)cudaDeviceGetAttribute(&available, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    return (double)(blocks * threads) / available;
}

static inline void honest_print(void)
{
    printf("Occupancy: %.4f\n", honest_occupancy());
    fflush(stdout);
}

#endif
