/* Matrices as objects, in a header of its own. */
#include "matrix_view.cuh"
#include "transpose.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void copyNaive(const float *X, float *Y, int height, int width)
{
    matrix_view<const float> from(X, height, width);
    matrix_view<float> to(Y, height, width);
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (from.has(row, column)) {
        to(row, column) = from(row, column);
    }
}

__global__ void transposeNaive(const float *X, float *Y, int height, int width)
{
    matrix_view<const float> from(X, height, width);
    matrix_view<float> to(Y, width, height);
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (from.has(row, column)) {
        to(column, row) = from(row, column);
    }
}

static int tiles(int size)
{
    return size / TILE_DIM + (size % TILE_DIM != 0);
}

void launchCopyNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    copyNaive<<<dim3(tiles(shape.width), tiles(shape.height)), dim3(TILE_DIM, 8 * 4)>>>(
        d_X, d_Y, shape.height, shape.width);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

void launchTransposeNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    transposeNaive<<<dim3(tiles(shape.width), tiles(shape.height)), dim3(TILE_DIM, 8 * 4)>>>(
        d_X, d_Y, shape.height, shape.width);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
