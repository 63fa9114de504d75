/* program_execute.c: see program_execute.h. The jail helper is built with this file too. */
#include "base/program_execute.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 200 };

void program_execute(const char *path, char *const *arguments, char *const *environment)
{
    static const struct timespec pause = {.tv_nsec = 10000000};

    for (int i = 0; i < TRIES; i++) {
        execve(path, arguments, environment);
        if (errno != ETXTBSY) {
            return;
        }
        nanosleep(&pause, NULL);
        errno = ETXTBSY;
    }
}
