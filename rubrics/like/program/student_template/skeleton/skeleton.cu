/* The exercise. See README.md. */
#include "skeleton.h"

/* Threads in a block. */
#define BLOCK_SIZE 256

__global__ void skeleton_kernel(const float *x, float *result, int n)
{
    /* TODO 1: work out which element this thread computes.
     * TODO 2: compute it, if there is such an element. */
}

void launch_skeleton(const float *d_x, float *d_result, int n)
{
    /* TODO 3: launch skeleton_kernel once, with enough blocks for n elements. */
}
