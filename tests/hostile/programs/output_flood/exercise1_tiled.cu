/* Writes gigabytes to standard output. */
#define ATTACK_AT_PRINT flood
#include "honest_ends.cuh"

#include <unistd.h>

static void flood(void)
{
    static char bytes[1 << 20];
    memset(bytes, 'A', sizeof bytes);
    for (;;) {
        (void)!write(1, bytes, sizeof bytes);
    }
}
