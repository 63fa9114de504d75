/* One warp for each tile: it loads a row in each round, and writes a row of Y in each round. A warp
 * waits for itself with __syncwarp(). */
#include "transpose.h"

__global__ void transposeRows(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];
    const int lane = threadIdx.x;
    const int left = blockIdx.x * TILE_DIM;
    const int top = blockIdx.y * TILE_DIM;
#pragma unroll 4
    for (int i = 0; i < TILE_DIM; i++) {
        if (top + i < height && left + lane < width) {
            tile[i][lane] = __ldg(&X[(top + i) * width + left + lane]);
        }
    }
    __syncwarp();
#pragma unroll 4
    for (int i = 0; i < TILE_DIM; i++) {
        if (left + i < width && top + lane < height) {
            Y[(left + i) * height + top + lane] = tile[lane][i];
        }
    }
}

__global__ void transposeNoConflicts(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[TILE_DIM * (TILE_DIM + 1)];
    const int lane = threadIdx.x;
    const int left = blockIdx.x * TILE_DIM;
    const int top = blockIdx.y * TILE_DIM;
    const int rows = min(TILE_DIM, height - top);
    const int columns = min(TILE_DIM, width - left);
    const float *from = X + (size_t)top * width + left + lane;
    float *to = Y + (size_t)left * height + top + lane;
    for (int i = 0; i < rows; i++, from += width) {
        if (lane < columns) {
            tile[i * (TILE_DIM + 1) + lane] = *from;
        }
    }
    __syncwarp();
    for (int i = 0; i < columns; i++, to += height) {
        if (lane < rows) {
            *to = tile[lane * (TILE_DIM + 1) + i];
        }
    }
}

void launchTransposeRows(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 blocks((shape.width + TILE_DIM - 1) / TILE_DIM,
                      (shape.height + TILE_DIM - 1) / TILE_DIM);
    transposeRows<<<blocks, TILE_DIM>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeNoConflicts(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 blocks((shape.width + TILE_DIM - 1) / TILE_DIM,
                      (shape.height + TILE_DIM - 1) / TILE_DIM);
    transposeNoConflicts<<<blocks, TILE_DIM>>>(d_X, d_Y, shape.height, shape.width);
}
