/* Looks at what it was given: environment, arguments, descriptors, limits. */
#define ATTACK_AT_PRINT look
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static void look(void)
{
    attempt(getenv("HOSTILE_CANARY") != NULL, "the grader's environment");
    attempt(getenv("HOME") != NULL, "HOME");
    attempt(getenv("GPUGRADE_ROOT") != NULL, "GPUGRADE_ROOT");
    for (char **variable = environ; *variable != NULL; variable++) {
        attempt(strstr(*variable, "canary") != NULL, *variable);
    }
    for (int fd = 4; fd < 1024; fd++) {
        char what[40];
        snprintf(what, sizeof what, "descriptor %d", fd);
        attempt(fcntl(fd, F_GETFD) >= 0, what);
    }
    attempt(geteuid() == 0 && getuid() == 0 && setuid(1) == 0, "another user");
    attempt(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "new privileges");
    static const int resources[] = {RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE,
                                    RLIMIT_CORE};
    for (int resource : resources) {
        struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        attempt(setrlimit((__rlimit_resource_t)resource, &limit) == 0, "a higher limit");
    }
    attempts_end();
}
