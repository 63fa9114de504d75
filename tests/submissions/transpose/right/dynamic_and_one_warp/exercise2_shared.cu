/* The tiles lie in dynamic shared memory, in one dimension. */
#include "transpose.h"

extern __shared__ float tile[];

__global__ void copyShared(const float *X, float *Y, int height, int width)
{
    const int own = threadIdx.y * blockDim.x + threadIdx.x;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool mine = column < width && row < height;
    if (mine) {
        tile[own] = X[row * width + column];
    }
    __syncthreads();
    if (mine) {
        Y[row * width + column] = tile[own];
    }
}

__global__ void transposeShared(const float *X, float *Y, int height, int width)
{
    const int pitch = blockDim.x + 1;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        tile[threadIdx.y * pitch + threadIdx.x] = X[row * width + column];
    }
    __syncthreads();
    column = blockIdx.y * blockDim.y + threadIdx.x;
    row = blockIdx.x * blockDim.x + threadIdx.y;
    if (column < height && row < width) {
        Y[row * height + column] = tile[threadIdx.x * pitch + threadIdx.y];
    }
}

static dim3 grid(struct matrix_shape shape, dim3 threads)
{
    return dim3((shape.width + threads.x - 1) / threads.x,
                (shape.height + threads.y - 1) / threads.y);
}

void launchCopyShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    const size_t bytes = TILE_DIM * TILE_DIM * sizeof(float);
    copyShared<<<grid(shape, threads), threads, bytes>>>(d_X, d_Y, shape.height, shape.width);
}

void launchTransposeShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    const dim3 threads(TILE_DIM, TILE_DIM);
    const size_t bytes = TILE_DIM * (TILE_DIM + 1) * sizeof(float);
    transposeShared<<<grid(shape, threads), threads, bytes>>>(d_X, d_Y, shape.height, shape.width);
}
