/* Writes gigabytes to standard error before the launch. */
#define ATTACK_AT_LAUNCH flood
#include "honest_ends.cuh"

#include <unistd.h>

static void flood(void)
{
    static char bytes[1 << 20];
    for (;;) {
        (void)!write(2, bytes, sizeof bytes);
    }
}
