/* One kernel template for both, and its tile's edge as a parameter. */
#include "transpose.h"

/* What a block does with its tile. */
template <int EDGE, bool TRANSPOSES>
__device__ void moveTile(const float *X, float *Y, int height, int width)
{
    __shared__ float tile[EDGE][EDGE];
    int column = blockIdx.x * EDGE + threadIdx.x;
    int row = blockIdx.y * EDGE + threadIdx.y;
    if (row < height && column < width) {
        tile[threadIdx.y][threadIdx.x] = X[row * width + column];
    }
    __syncthreads();
    if (TRANSPOSES) {
        column = blockIdx.y * EDGE + threadIdx.x;
        row = blockIdx.x * EDGE + threadIdx.y;
    }
    const int rows = TRANSPOSES ? width : height;
    const int columns = TRANSPOSES ? height : width;
    if (row < rows && column < columns) {
        Y[row * columns + column] = TRANSPOSES ? tile[threadIdx.x][threadIdx.y]
                                               : tile[threadIdx.y][threadIdx.x];
    }
}

template <int EDGE>
__global__ void copyShared(const float *X, float *Y, int height, int width)
{
    moveTile<EDGE, false>(X, Y, height, width);
}

template <int EDGE>
__global__ void transposeShared(const float *X, float *Y, int height, int width)
{
    moveTile<EDGE, true>(X, Y, height, width);
}

void launchCopyShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    dim3 threads(TILE_DIM, TILE_DIM);
    dim3 blocks((shape.width - 1) / TILE_DIM + 1, (shape.height - 1) / TILE_DIM + 1);
    copyShared<TILE_DIM><<<blocks, threads>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    dim3 threads(TILE_DIM, TILE_DIM);
    dim3 blocks((shape.width - 1) / TILE_DIM + 1, (shape.height - 1) / TILE_DIM + 1);
    transposeShared<TILE_DIM><<<blocks, threads>>>(d_X, d_Y, shape.height, shape.width);
}
