/* Asks for device code at offsets that are not in the executable's fat binary. */
#define ATTACK_AT_LAUNCH ask
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void ask(void)
{
    struct wire_header reply;
    static const uint64_t places[] = {0, 1, 0x1000, UINT64_MAX, UINT64_MAX - 15};
    for (uint64_t place : places) {
        wire_header_send(WIRE_MODULE, 0, place, 0, 0);
        (void)wire_header_receive(&reply);
    }
}
