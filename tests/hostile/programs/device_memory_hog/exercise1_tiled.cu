/* Takes device memory until there is none, in ever smaller pieces. */
#define ATTACK_AT_LAUNCH take
#include "honest_ends.cuh"

static void take(void)
{
    void *piece = NULL;
    for (size_t bytes = 8 << 20; bytes >= 256; bytes /= 2) {
        for (int i = 0; i < 1000 && cudaMalloc(&piece, bytes) == cudaSuccess; i++) {
        }
    }
}
