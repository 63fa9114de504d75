/* Sends half a header and waits. */
#define ATTACK_AT_LAUNCH stall
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void stall(void)
{
    static const char half[40] = {WIRE_MEMORY};
    wire_send(half, sizeof half);
    for (;;) {
        pause();
    }
}
