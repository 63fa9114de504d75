/* Announces four megabytes, sends a hundred bytes of them and ends. */
#define ATTACK_AT_LAUNCH cut
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void cut(void)
{
    static const char bytes[100] = "";
    wire_header_send(WIRE_UPLOAD, 4 << 20, 0x100000000000, 4 << 20, 4 << 20);
    wire_send(bytes, sizeof bytes);
    _exit(0);
}
