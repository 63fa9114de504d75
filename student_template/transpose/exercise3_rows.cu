/* Exercise 3: several rows for each thread, and no bank conflicts. See README.md. */
#include "transpose.h"

#include <stdio.h>

/* Rows of a block: fewer than a tile has, and TILE_DIM is a multiple of it. A thread handles
 * TILE_DIM / BLOCK_ROWS elements of its column of the tile. */
#define BLOCK_ROWS 8

__global__ void transposeRows(const float *X, float *Y, int height, int width)
{
    /* TODO 1: start from transposeShared: the tile stays as large as it is, the block has fewer
     *         rows. Loop over this thread's rows of the tile, which are BLOCK_ROWS apart, where
     *         you load, and again where you write. Every row needs its own border check. */
}

void launchTransposeRows(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 2: launch transposeRows once, in blocks of TILE_DIM x BLOCK_ROWS threads. How many
     *         blocks are needed? */
}

__global__ void transposeNoConflicts(const float *X, float *Y, int height, int width)
{
    /* TODO 3: the same, but with a tile laid out so that the threads of a warp, which read a column
     *         of it, find their elements in different banks. */
}

void launchTransposeNoConflicts(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 4: launch transposeNoConflicts once. */
}
