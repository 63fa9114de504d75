/* Exercise 2: the same in blocks whose size is known only when the program runs. See README.md. */
#include "adjacent_difference.h"

__global__ void adjDiffDynamic(int *result, const int *input, int n)
{
    /* TODO 1: declare the dynamic shared memory: an array without a size.
     * TODO 2: as in exercise 1; blockDim has the number of threads in a block. */
}

void launchDynamic(int *d_result, int *d_input, int n, int block_size)
{
    /* TODO 3: launch adjDiffDynamic once, in blocks of block_size threads, with as many bytes of
     *         dynamic shared memory as such a block needs. */
}
