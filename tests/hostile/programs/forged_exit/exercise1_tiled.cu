/* Prints a forged score and ends with status 0 before anything is launched. */
#define ATTACK_AT_LAUNCH leave
#include "honest_ends.cuh"

#include <unistd.h>

static void leave(void)
{
    puts("Score 100/100");
    fflush(stdout);
    _exit(0);
}
