/* A grandchild keeps both outputs and the channel open and sleeps. */
#define ATTACK_AT_LAUNCH hold
#define ATTACK_AT_PRINT hold
#include "honest_ends.cuh"

#include <sys/wait.h>
#include <unistd.h>

static void hold(void)
{
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            sleep(3600);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
}
