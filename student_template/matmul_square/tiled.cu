/* Matrix multiplication through tiles in shared memory, for square matrices. See README.md. */
#include "matmul_square.h"

#include <stdio.h>

/* Width of a tile and of a block: 2, 4, 8, 16 or 32. */
#define TILE_WIDTH 16

int tileWidth(void)
{
    return TILE_WIDTH;
}

__global__ void MatrixMulKernel(float *d_M, float *d_N, float *d_P, int Width)
{
    /* TODO 1: declare one tile of M and one tile of N in shared memory.
     * TODO 2: find the row and the column of the element of P that this thread computes.
     * TODO 3: in Width / TILE_WIDTH phases:
     *           every thread loads one element of both tiles;
     *           wait until the whole block has loaded;
     *           add the products of this phase to a sum in a register;
     *           wait until the whole block has finished with the tiles.
     * TODO 4: write the sum to P, once. */
}

void launchTiled(float *d_M, float *d_N, float *d_P, int Width)
{
    /* TODO 5: launch MatrixMulKernel once, with a grid that covers every element of P. */
}

void printOccupancy(void)
{
    /* TODO 6: work out the occupancy of MatrixMulKernel and print one line
     *           Occupancy: <number> */
}
