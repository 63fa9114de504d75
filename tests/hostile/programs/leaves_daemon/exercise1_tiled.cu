/* Daemons by double forks and sessions of their own; they hold nothing open and write for ever. */
#define ATTACK_AT_LAUNCH leave
#define ATTACK_AT_PRINT leave
#include "honest_ends.cuh"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void haunt(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_NAME, "kworker/u8:1", 0, 0, 0);
    for (int fd = 0; fd < 256; fd++) {
        close(fd);
    }
    for (;;) {
        const int file =
            open("/tmp/@NAME@-daemon", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file >= 0) {
            (void)!write(file, ".", 1);
            close(file);
        }
        usleep(1000);
        if (fork() == 0) {
            setsid();
        } else {
            _exit(0);
        }
    }
}

static void leave(void)
{
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() == 0) {
                haunt();
            }
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}
