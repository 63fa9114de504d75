/* Asks without end and never reads an answer. */
#define ATTACK_AT_LAUNCH flood
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void flood(void)
{
    for (;;) {
        wire_header_send(WIRE_MEMORY, 0, 0, 0, 0);
    }
}
