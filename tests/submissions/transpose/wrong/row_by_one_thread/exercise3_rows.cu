/* In the second kernel the first thread of each row loads its rows of the tile alone. */
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

    if (tx == 0) {
        for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
            for (int c = 0; c < TILE_DIM; c++) {
                if (x_row + k < height && x_column + c < width) {
                    tile[ty + k][c] = X[(x_row + k) * width + x_column + c];
                }
            }
        }
    }
    __syncthreads();
    for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS) {
        if (y_row + k < width && y_column < height) {
            Y[(y_row + k) * height + y_column] = tile[tx][ty + k];
        }
    }
}

/* One block for each tile of X, also for those that the border cuts. */
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
