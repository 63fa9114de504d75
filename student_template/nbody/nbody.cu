/* The accelerations of n bodies. See README.md. */
#include "nbody.h"

__global__ void accelerate(const float4 *body, float3 *acc, int n, float softening)
{
    /* TODO 1: work out which body belongs to this thread. Keep it in a register, and start with a
     *         sum of 0.
     * TODO 2: go through all bodies in tiles. The threads of the block load a tile together into
     *         shared memory; then each of them adds up what all bodies of the tile contribute.
     *         Which barriers does this need? And what if the last tile is not full?
     * TODO 3: write the sum, if there is such a body. */
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    /* TODO 4: launch the kernel in blocks that cover all n bodies. */
}
