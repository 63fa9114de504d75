/* One byte at a time, for ever. */
#define ATTACK_AT_PRINT drip
#include "honest_ends.cuh"

#include <unistd.h>

static void drip(void)
{
    for (;;) {
        (void)!write(1, ".", 1);
        usleep(20000);
    }
}
