/* Exercise 3, reference solution: a thread moves TILE_DIM / BLOCK_ROWS elements of a column of the
 * tile. The second kernel pads the rows of the tile by one element, so that a column of it is in
 * 32 different banks. */
#include "transpose.h"

/* Rows of a block. */
#define BLOCK_ROWS 8

__global__ void transposeRows(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x_column = blockIdx.x * TILE_DIM + tx;
    const int x_row = blockIdx.y * TILE_DIM + ty;
    const int y_column = blockIdx.y * TILE_DIM + tx;
    const int y_row = blockIdx.x * TILE_DIM + ty;

    for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
        if (x_row + k < height && x_column < width) {
            tile[ty + k][tx] = X[(x_row + k) * width + x_column];
        }
    }
    __syncthreads();
    for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
        if (y_row + k < width && y_column < height) {
            Y[(y_row + k) * height + y_column] = tile[tx][ty + k];
        }
    }
}

__global__ void transposeNoConflicts(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x_column = blockIdx.x * TILE_DIM + tx;
    const int x_row = blockIdx.y * TILE_DIM + ty;
    const int y_column = blockIdx.y * TILE_DIM + tx;
    const int y_row = blockIdx.x * TILE_DIM + ty;

    for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
        if (x_row + k < height && x_column < width) {
            tile[ty + k][tx] = X[(x_row + k) * width + x_column];
        }
    }
    __syncthreads();
    for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
        if (y_row + k < width && y_column < height) {
            Y[(y_row + k) * height + y_column] = tile[tx][ty + k];
        }
    }
}

/* One block for each tile of X, including those that the border cuts. */
static dim3 blocks_for(struct matrix_shape shape)
{
    return dim3((shape.width + TILE_DIM - 1) / TILE_DIM, (shape.height + TILE_DIM - 1) / TILE_DIM);
}

void launchTransposeRows(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, BLOCK_ROWS);
    transposeRows<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeNoConflicts(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, BLOCK_ROWS);
    transposeNoConflicts<<<blocks_for(shape), threads>>>(d_X, d_Y, shape.height, shape.width);
}
