/* Executes a copy of the shell from an anonymous file, to shed limits and filters. */
#define ATTACK_AT_PRINT try_memfd
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <sys/mman.h>
#include <sys/wait.h>

static void try_memfd(void)
{
    static char bytes[1 << 16];
    const int from = open("/bin/sh", O_RDONLY | O_CLOEXEC);
    const int file = memfd_create("sh", MFD_CLOEXEC);
    for (ssize_t length; (length = read(from, bytes, sizeof bytes)) > 0;) {
        (void)!write(file, bytes, length);
    }
    const pid_t child = fork();
    if (child == 0) {
        static const char *const command[] = {
            "sh", "-c",
            "ulimit -n 4096 && exit 1; ulimit -t unlimited && exit 2; cat /etc/shadow && exit 3;"
            " mount -t tmpfs none /tmp && exit 4; unshare -U true && exit 5; exit 0",
            NULL};
        dup2(open("/dev/null", O_RDWR), 1);
        dup2(1, 2);
        fexecve(file, (char *const *)command, environ);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        snprintf(bytes, sizeof bytes, "status %d", WEXITSTATUS(status));
        attempt(true, bytes);
    }
    attempts_end();
}
