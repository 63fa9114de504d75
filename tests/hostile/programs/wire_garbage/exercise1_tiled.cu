/* Writes a megabyte of noise into the client channel. */
#define ATTACK_AT_LAUNCH noise
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void noise(void)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 1 << 17; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        wire_send(&state, sizeof state);
    }
}
