/* Exercise 1, reference solution: one thread per element. Reads of X are coalesced in both kernels,
 * writes of Y only in the copy. */
#include "transpose.h"

__global__ void copyNaive(const float *X, float *Y, int height, int width)
{
    const int column = blockIdx.x * TILE_DIM + threadIdx.x;
    const int row = blockIdx.y * TILE_DIM + threadIdx.y;
    if (row < height && column < width) {
        Y[row * width + column] = X[row * width + column];
    }
}

__global__ void transposeNaive(const float *X, float *Y, int height, int width)
{
    const int column = blockIdx.x * TILE_DIM + threadIdx.x;
    const int row = blockIdx.y * TILE_DIM + threadIdx.y;
    if (row < height && column < width) {
        Y[column * height + row] = X[row * width + column];
    }
}

/* One block for each tile of X, including those that the border cuts. */
static dim3 blocks_for(struct matrix_shape shape)
{
    return dim3((shape.width + TILE_DIM - 1) / TILE_DIM, (shape.height + TILE_DIM - 1) / TILE_DIM);
}

void launchCopyNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    copyNaive<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    transposeNaive<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}
