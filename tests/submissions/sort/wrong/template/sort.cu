#include "sort.h"

/* TODO: choose the number of threads in a block. */

__global__ void compareAndSwap(unsigned int *keys, int n, int run, int distance)
{
    /* TODO: which pair of keys belongs to this thread? Their indices differ by `distance`.
     * TODO: is the run that they lie in sorted ascending or descending?
     * TODO: swap the two keys if they are in the wrong order. */
}

void sortKeys(unsigned int *d_keys, int n)
{
    /* TODO: pad the keys to a power of two, in scratch memory.
     * TODO: launch compareAndSwap once for each step.
     * TODO: copy the n smallest keys back to d_keys. */
}
