/* Announces a payload of 2^63 bytes. */
#define ATTACK_AT_LAUNCH announce
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void announce(void)
{
    wire_header_send(WIRE_UPLOAD, UINT64_C(1) << 63, 0x100000000000, UINT64_MAX, UINT64_MAX);
}
