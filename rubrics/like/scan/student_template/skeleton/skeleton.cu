/* The exercise. See README.md. */
#include "skeleton.h"

void launch_skeleton(const int *d_in, int *d_out, int n)
{
    /* TODO: scan each block in shared memory, then the sums of the blocks, then add these. */
}
