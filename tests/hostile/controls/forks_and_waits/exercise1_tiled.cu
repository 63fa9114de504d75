/* Forks, lets the child answer over a pipe, starts a program of the system, and waits for both. */
#define ATTACK_AT_LAUNCH ask_child
#define ATTACK_AT_PRINT ask_child
#include "honest_ends.cuh"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static void ask_child(void)
{
    int ends[2];
    int answer = 0;
    int status = 1;
    if (pipe(ends) != 0) {
        abort();
    }
    const pid_t child = fork();
    if (child == 0) {
        answer = 42;
        _exit(write(ends[1], &answer, sizeof answer) != sizeof answer);
    }
    if (read(ends[0], &answer, sizeof answer) != sizeof answer || answer != 42 ||
        waitpid(child, &status, 0) != child || status != 0) {
        abort();
    }
    close(ends[0]);
    close(ends[1]);
    pid_t program = 0;
    static char name[] = "true";
    char *const arguments[] = {name, NULL};
    if (posix_spawn(&program, "/bin/true", NULL, NULL, arguments, environ) != 0 ||
        waitpid(program, &status, 0) != program || status != 0) {
        abort();
    }
}
