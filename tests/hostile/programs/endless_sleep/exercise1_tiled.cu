/* Sleeps without end, with every signal blocked. */
#define ATTACK_AT_LAUNCH sleep_on
#define ATTACK_AT_PRINT sleep_on
#include "honest_ends.cuh"

#include <signal.h>
#include <unistd.h>

static void sleep_on(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (;;) {
        pause();
    }
}
