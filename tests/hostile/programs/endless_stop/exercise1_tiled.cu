/* Stops itself, and its group. */
#define ATTACK_AT_LAUNCH stop
#define ATTACK_AT_PRINT stop
#include "honest_ends.cuh"

#include <signal.h>

static void stop(void)
{
    for (;;) {
        kill(0, SIGSTOP);
        raise(SIGSTOP);
    }
}
