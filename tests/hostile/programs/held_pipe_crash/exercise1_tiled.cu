/* The program is killed by its own signal while a grandchild floods the pipe it holds open. */
#define ATTACK_AT_PRINT hold
#include "honest_ends.cuh"

#include <signal.h>
#include <unistd.h>

static void hold(void)
{
    if (fork() == 0) {
        setsid();
        for (;;) {
            (void)!write(1, "Occupancy: 0.1\n", 15);
            usleep(1000);
        }
    }
    raise(SIGKILL);
}
