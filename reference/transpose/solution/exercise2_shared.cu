/* Exercise 2, reference solution: through a tile in shared memory, one thread per element. */
#include "transpose.h"

__global__ void copyShared(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int column = blockIdx.x * TILE_DIM + tx;
    const int row = blockIdx.y * TILE_DIM + ty;
    const bool is_inside = row < height && column < width;

    if (is_inside) {
        tile[ty][tx] = X[row * width + column];
    }
    __syncthreads();
    if (is_inside) {
        Y[row * width + column] = tile[ty][tx];
    }
}

__global__ void transposeShared(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x_column = blockIdx.x * TILE_DIM + tx;
    const int x_row = blockIdx.y * TILE_DIM + ty;
    const int y_column = blockIdx.y * TILE_DIM + tx;
    const int y_row = blockIdx.x * TILE_DIM + ty;

    if (x_row < height && x_column < width) {
        tile[ty][tx] = X[x_row * width + x_column];
    }
    __syncthreads();
    if (y_row < width && y_column < height) {
        Y[y_row * height + y_column] = tile[tx][ty];
    }
}

/* One block for each tile of X, including those that the border cuts. */
static dim3 blocks_for(struct matrix_shape shape)
{
    return dim3((shape.width + TILE_DIM - 1) / TILE_DIM, (shape.height + TILE_DIM - 1) / TILE_DIM);
}

void launchCopyShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    copyShared<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    transposeShared<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}
