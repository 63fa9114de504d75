/* Exercise 1: matrix multiplication through tiles in static shared memory. See README.md. */
#include "matmul.h"

#include <stdio.h>

/* Columns of a block and of a tile: 8, 16 or 32. */
#define BLOCK_SIZE 16

__global__ void matrixMulTiled(const float *A, const float *B, float *C, int a_width, int b_width)
{
    /* TODO 1: declare one tile of A and one tile of B in static shared memory.
     * TODO 2: loop over the pairs of tiles that this block needs. For each pair:
     *           every thread loads its elements of both tiles;
     *           wait until the whole block has loaded;
     *           add this pair's products to a sum in a register;
     *           wait until the whole block has finished with the tiles.
     * TODO 3: write the sum to C. */
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    /* TODO 4: launch matrixMulTiled once, with a grid that covers every element of C. */
}

void printOccupancy(void)
{
    /* TODO 5: work out the occupancy of matrixMulTiled and print one line
     *           Occupancy: <number> */
}
