/* A small grid whose blocks walk over the matrix, tile by tile. */
#include "transpose.h"

__global__ void copyNaive(const float *X, float *Y, int height, int width)
{
    for (int row = blockIdx.y * TILE_DIM + threadIdx.y; row < height; row += gridDim.y * TILE_DIM) {
        for (int column = blockIdx.x * TILE_DIM + threadIdx.x; column < width;
             column += gridDim.x * TILE_DIM) {
            Y[row * width + column] = X[row * width + column];
        }
    }
}

__global__ void transposeNaive(const float *X, float *Y, int height, int width)
{
    for (int row = blockIdx.y * TILE_DIM + threadIdx.y; row < height; row += gridDim.y * TILE_DIM) {
        for (int column = blockIdx.x * TILE_DIM + threadIdx.x; column < width;
             column += gridDim.x * TILE_DIM) {
            Y[column * height + row] = X[row * width + column];
        }
    }
}

void launchCopyNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    copyNaive<<<dim3(2, 2), dim3(TILE_DIM, TILE_DIM)>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    transposeNaive<<<dim3(2, 2), dim3(TILE_DIM, TILE_DIM)>>>(d_X, d_Y, shape.height, shape.width);
}
