/* Takes device memory until there is none, in pieces. */
#define ATTACK_AT_LAUNCH take
#include "honest_ends.cuh"

static void take(void)
{
    void *piece = NULL;
    for (int i = 0; i < 1000 && cudaMalloc(&piece, 8 << 20) == cudaSuccess; i++) {
    }
}
