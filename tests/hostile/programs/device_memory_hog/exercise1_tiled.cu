/* Takes device memory until there is none, in ever smaller pieces: more than the limit is a
 * hole, and its own operands, which it has already, must stay right. */
#define ATTACK_AT_LAUNCH take
#include "honest_ends.cuh"

static void take(void)
{
    /* Both rubrics allow as much of it as of the host's memory. */
    const size_t most = (((size_t)@MEMORY@ + 2) << 20) / 2 * 3;
    size_t taken = 0;
    for (size_t bytes = 8 << 20; bytes >= 256; bytes /= 2) {
        void *piece = NULL;
        while (taken <= most && cudaMalloc(&piece, bytes) == cudaSuccess) {
            taken += bytes;
        }
    }
    cudaGetLastError();
    if (taken > most || taken == 0) {
        fprintf(stderr, "%zu MB of device memory were taken\n", taken >> 20);
        exit(88);
    }
}
