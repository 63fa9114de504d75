/* How often each of 256 values occurs. See README.md. */
#include "histogram.h"

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    /* TODO 1: d_bins is undefined. What must be in it before the first addition?
     * TODO 2: a kernel in which each block counts its own part of the values in shared memory.
     * TODO 3: add the counts of each block to d_bins. What must the block have done before? */
}
