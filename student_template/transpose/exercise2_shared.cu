/* Exercise 2: copy and transpose through a tile in shared memory. See README.md. */
#include "transpose.h"

#include <stdio.h>

__global__ void copyShared(const float *X, float *Y, int height, int width)
{
    /* TODO 1: declare a tile of TILE_DIM x TILE_DIM floats in shared memory.
     * TODO 2: every thread loads its element of X, if there is one, into the tile.
     * TODO 3: wait until the whole block has loaded.
     * TODO 4: every thread writes its element of Y from the tile. */
}

void launchCopyShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 5: launch copyShared once, in blocks of TILE_DIM x TILE_DIM threads. */
}

__global__ void transposeShared(const float *X, float *Y, int height, int width)
{
    /* TODO 6: load a tile of X, row by row, as in copyShared, and wait.
     * TODO 7: work out where in Y this tile belongs, and write it there row by row: threads that
     *         are neighbours in x write neighbours in memory. So they read a column of the tile.
     *         Which threads are beyond the border now? */
}

void launchTransposeShared(const float *d_X, float *d_Y, struct matrix_shape shape)
{
    /* TODO 8: launch transposeShared once. */
}
