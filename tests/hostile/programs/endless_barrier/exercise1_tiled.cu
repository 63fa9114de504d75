/* Half of the block waits at a barrier that the others never reach. */
#define RESULT(sum) (wait(), (sum))

__device__ static void wait()
{
    if (threadIdx.y % 2 == 0) {
        asm volatile("bar.sync 1, 256;");
    } else {
        asm volatile("bar.sync 2, 256;");
    }
}

#include "honest_ends.cuh"
