/* Prints a hundred kilobytes besides what is asked for, and half of that on standard error. */
#define ATTACK_AT_LAUNCH talk
#define ATTACK_AT_PRINT talk
#include "honest_ends.cuh"

static void talk(void)
{
    for (int i = 0; i < 2000; i++) {
        printf("step %4d of 2000: nothing to see here, just a long line\n", i);
        fprintf(stderr, "note %d: a remark\n", i);
    }
}
