/* process.c: children by posix_spawn, waiting through a pidfd; see process.h.
 *
 * The child gets exactly the descriptors of the list. Their sources are first copied above all
 * targets, so that a target never overwrites a source that is still needed.
 */
#include "base/process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_FREE_DESCRIPTOR = 64 };

void descriptor_close(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

/* Fills the file actions; copies [PROCESS_DESCRIPTOR_MAX] are open afterwards or -1. */
static bool place_descriptors(const struct process_spec *spec, posix_spawn_file_actions_t *actions,
                              int *copies)
{
    for (size_t i = 0; i < spec->descriptor_count; i++) {
        int target = (int)i;
        if (spec->descriptors[i] < 0) {
            if (posix_spawn_file_actions_addclose(actions, target) != 0) {
                return false;
            }
            continue;
        }
        copies[i] = fcntl(spec->descriptors[i], F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
        if (copies[i] < 0 || posix_spawn_file_actions_adddup2(actions, copies[i], target) != 0) {
            return false;
        }
    }
    return posix_spawn_file_actions_addclosefrom_np(actions, (int)spec->descriptor_count) == 0;
}

/* A child starts with no signal blocked and none ignored. */
static bool set_attributes(const struct process_spec *spec, posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t all;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;

    sigemptyset(&none);
    sigfillset(&all);
    if (spec->own_group) {
        flags |= POSIX_SPAWN_SETPGROUP;
    }
    return posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setflags(attributes, flags) == 0;
}

/* Spawns; returns an errno value. The casts only drop const, which posix_spawn honours. */
static int spawn_child(const struct process_spec *spec, pid_t *out_pid)
{
    static const char *const no_environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int copies[PROCESS_DESCRIPTOR_MAX];
    const char *const *environment = spec->environment == NULL ? no_environment : spec->environment;

    memset(copies, -1, sizeof copies);
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return ENOMEM;
    }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int cause = EMFILE;
    if (place_descriptors(spec, &actions, copies) && set_attributes(spec, &attributes)) {
        cause = posix_spawn(out_pid, spec->path, &actions, &attributes,
                            (char *const *)(uintptr_t)spec->arguments,
                            (char *const *)(uintptr_t)environment);
    }
    for (size_t i = 0; i < PROCESS_DESCRIPTOR_MAX; i++) {
        descriptor_close(&copies[i]);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

enum error process_start(const struct process_spec *spec, struct process *out_process,
                         struct diagnostic *diagnostic)
{
    struct process process = {.pid = 0, .pid_fd = -1};
    int cause = spawn_child(spec, &process.pid);

    if (cause != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot start %s: %s", spec->path,
                       strerror(cause));
        return ERROR_ENVIRONMENT;
    }
    /* The child is not reaped yet, so its number cannot belong to another process. */
    process.pid_fd = (int)syscall(SYS_pidfd_open, process.pid, 0);
    if (process.pid_fd < 0) {
        cause = errno;
        kill(process.pid, SIGKILL);
        waitpid(process.pid, NULL, 0);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot watch a process (pidfd_open: %s); it needs linux 5.3 or later",
                       strerror(cause));
        return ERROR_ENVIRONMENT;
    }
    /* pidfd_open sets close-on-exec by itself. */
    *out_process = process;
    return ERROR_NONE;
}

/* Collects the child, which must have ended or be about to. */
static int collect(struct process *process)
{
    int status = 0;

    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
    }
    descriptor_close(&process->pid_fd);
    process->pid = 0;
    return status;
}

bool process_wait(struct process *process, uint64_t deadline_ns, int *out_status)
{
    struct pollfd waited = {.fd = process->pid_fd, .events = POLLIN};

    if (process->pid <= 0) {
        return false;
    }
    for (;;) {
        int ready = poll(&waited, 1, clock_poll_timeout_ms(deadline_ns));
        if (ready > 0) {
            *out_status = collect(process);
            return true;
        }
        bool interrupted = ready < 0 && errno == EINTR;
        if (!interrupted && clock_now_ns() >= deadline_ns) {
            return false;
        }
    }
}

void process_kill(struct process *process, bool group)
{
    if (process->pid <= 0) {
        return;
    }
    if (group) {
        kill(-process->pid, SIGKILL);
    }
    kill(process->pid, SIGKILL);
    collect(process);
}

enum error socket_pair(int out_fds[2], struct diagnostic *diagnostic)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out_fds) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot create a pair of sockets: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

enum error pipe_pair(int out_fds[2], struct diagnostic *diagnostic)
{
    if (pipe2(out_fds, O_CLOEXEC) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot create a pipe: %s", strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}
