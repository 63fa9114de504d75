/* Starts every setuid program there is and makes one of its own. */
#define ATTACK_AT_PRINT try_setuid
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <sys/prctl.h>
#include <sys/wait.h>

/* What a command prints; the first line of it. */
static void run(const char *const *command, char *out_line, size_t capacity)
{
    int ends[2];
    out_line[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(open("/dev/null", O_RDWR), 0);
        dup2(0, 2);
        execv(command[0], (char *const *)command);
        _exit(127);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], out_line, capacity - 1);
    out_line[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void try_setuid(void)
{
    static const char *const commands[][5] = {
        {"/usr/bin/su", "-c", "cat /etc/shadow", NULL},
        {"/usr/bin/su", "root", "-c", "echo root", NULL},
        {"/usr/bin/sudo", "-n", "cat", "/etc/shadow", NULL},
        {"/usr/bin/pkexec", "id", NULL},
        {"/usr/bin/chage", "-l", "root", NULL},
        {"/usr/bin/expiry", "-f", NULL},
    };
    char line[200];
    for (const char *const *command : commands) {
        run(command, line, sizeof line);
        attempt(line[0] != '\0', line);
    }
    const int copy = open("/tmp/@NAME@", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    if (copy >= 0) {
        (void)!fchown(copy, 0, 0);
        (void)!fchmod(copy, 06755);
        close(copy);
    }
    attempts_end();
}
