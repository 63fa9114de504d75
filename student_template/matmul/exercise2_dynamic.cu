/* Exercise 2: the same with dynamic shared memory and a block width chosen at run time. See
 * README.md. */
#include "matmul.h"

#include <stdio.h>

/* Columns of a block and of a tile; chooseBlockSize() fills it in. */
__constant__ int BLOCK_SIZE;

int requiredSM(int threads_per_block)
{
    /* TODO 1: return how many bytes of shared memory a block with that many threads needs. */
    return 0;
}

__global__ void matrixMulDynamic(const float *A, const float *B, float *C, int a_width, int b_width)
{
    /* TODO 2: declare the dynamic shared memory and let one pointer to the tile of A and one to
     *         the tile of B point into it.
     * TODO 3: multiply as in exercise 1; the tiles are one-dimensional now. */
}

int chooseBlockSize(void)
{
    /* TODO 4: ask cudaOccupancyMaxPotentialBlockSizeVariableSMem for a number of threads.
     * TODO 5: round it down to a power of four and take the square root: the block width.
     * TODO 6: copy the width to BLOCK_SIZE, print one line
     *           Block size: <width>
     *         and return the width. */
    return 0;
}

void launchDynamic(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    /* TODO 7: launch matrixMulDynamic once, with requiredSM(threads) bytes of dynamic shared
     *         memory and a grid that covers every element of C. */
}
