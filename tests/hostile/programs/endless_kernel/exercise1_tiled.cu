/* A kernel that never ends. */
#define RESULT(sum) (spin(C), (sum))

__device__ static void spin(volatile float *C)
{
    while (C[0] != 12345.0f) {
    }
}

#include "honest_ends.cuh"
