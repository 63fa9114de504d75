/* Exercise 1: copy and transpose directly through global memory. See README.md. */
#include "transpose.h"

#include <stdio.h>

__global__ void copyNaive(const float *X, float *Y, int height, int width)
{
    /* TODO 1: work out which element (row, column) of X belongs to this thread. Blocks at the
     *         border reach beyond the matrix: check.
     * TODO 2: copy that element to Y. */
}

void launchCopyNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 3: launch copyNaive once, in blocks of TILE_DIM x TILE_DIM threads, with a grid that
     *         covers every element of X. */
}

__global__ void transposeNaive(const float *X, float *Y, int height, int width)
{
    /* TODO 4: the same, but Y has width rows and height columns. */
}

void launchTransposeNaive(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 5: launch transposeNaive once. */
}
