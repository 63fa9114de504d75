/* Shuts the channel in both directions while it stays open. */
#define ATTACK_AT_LAUNCH shut
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void shut(void)
{
    shutdown(WIRE_FD, SHUT_RDWR);
}
