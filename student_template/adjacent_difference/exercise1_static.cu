/* Exercise 1: adjacent differences through static shared memory. See README.md. */
#include "adjacent_difference.h"

/* Threads of a block: 32, 64, 96, 128, 192, 256, 384, 512, 768 or 1024. */
#define BLOCK_SIZE 256

__global__ void adjDiffStatic(int *result, const int *input, int n)
{
    /* TODO 1: declare an array in shared memory with room for the block's elements.
     * TODO 2: every thread that has an element loads it into the array.
     * TODO 3: wait until the whole block has loaded.
     * TODO 4: subtract the left neighbour and write the difference. Which neighbour does thread 0
     *         of a block need, and where is it? What about the very first element? */
}

void launchStatic(int *d_result, int *d_input, int n)
{
    /* TODO 5: launch adjDiffStatic once, with enough blocks for all n elements. */
}
