/* Every thread of the kernel prints a lot. */
#define RESULT(sum) (flood(), (sum))

__device__ static void flood();
#include "honest_ends.cuh"

__device__ static void flood()
{
    for (int i = 0; i < 1000; i++) {
        printf("flood flood flood flood flood flood flood flood flood flood %d\n", i);
    }
}
