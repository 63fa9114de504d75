/* The host computes without end in both functions. */
#define ATTACK_AT_LAUNCH spin
#define ATTACK_AT_PRINT spin
#include "honest_ends.cuh"

static void spin(void)
{
    for (volatile unsigned i = 0;; i++) {
    }
}
