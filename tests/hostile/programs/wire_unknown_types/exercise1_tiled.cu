/* Sends numbers that no message has, and those of the control channel. */
#define ATTACK_AT_LAUNCH pretend
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void pretend(void)
{
    struct wire_header reply;
    for (uint32_t type = 60; type > 22; type--) {
        wire_header_send(type, 0, 0x100000000000, 4096, 0);
        (void)recv(WIRE_FD, &reply, sizeof reply, MSG_DONTWAIT);
    }
}
