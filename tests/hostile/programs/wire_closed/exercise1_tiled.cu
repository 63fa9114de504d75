/* Closes the channel and goes on. */
#define ATTACK_AT_LAUNCH hang_up
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void hang_up(void)
{
    close(WIRE_FD);
}
