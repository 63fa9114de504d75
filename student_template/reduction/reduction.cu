#include "reduction.h"

/* A block adds up its elements in shared memory, and writes one partial sum. */
__global__ void sumBlocks(const float *in, float *out, int n)
{
    /* TODO 1: load one element for each thread, then halve the number of threads that add. */
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    /* TODO 2: launch sumBlocks until one sum is left, which belongs to *d_out. */
}

/* TODO 3: the same for the largest element. What must a thread without an element put in? */
void reduceMax(const int *d_in, int *d_out, int n)
{
}
