/* plain_program.c: fork, put descriptors and signals in order, execve; see plain_program.h.
 *
 * posix_spawn (base/process.h) can neither set the signal that a parent's death sends nor leave
 * unknown descriptors open, so this one forks. The pipe is closed by a successful execve and else
 * tells the cause.
 */
#include "session/plain_program.h"

#include "base/program_execute.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CHANNEL_FD = 3, EXIT_NOT_STARTED = 126 };

/* Puts the channel where the program's runtime looks for it. */
static bool place_channel(int client_fd)
{
    if (client_fd == CHANNEL_FD) {
        return fcntl(CHANNEL_FD, F_SETFD, 0) == 0;
    }
    return dup2(client_fd, CHANNEL_FD) == CHANNEL_FD;
}

/* Becomes the program; returns only if that fails, with errno set. The casts only drop const. */
static void become_program(const struct plain_command *command, int client_fd, pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || !place_channel(client_fd)) {
        return;
    }
    if (signal(SIGPIPE, command->ignores_broken_pipe ? SIG_IGN : SIG_DFL) == SIG_ERR ||
        sigprocmask(SIG_SETMASK, &command->signal_mask, NULL) != 0) {
        return;
    }
    program_execute(command->path, (char *const *)(uintptr_t)command->arguments,
                    (char *const *)(uintptr_t)command->environment);
}

/* Reads why the program did not start; 0 if it did. */
static int read_failure(int fd)
{
    int cause = 0;
    ssize_t length;

    do {
        length = read(fd, &cause, sizeof cause);
    } while (length < 0 && errno == EINTR);
    return length == (ssize_t)sizeof cause ? cause : 0;
}

static enum error environment_failure(const char *what, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s: %s", what, strerror(errno));
    return ERROR_ENVIRONMENT;
}

enum error plain_program_start(const struct plain_command *command, int client_fd,
                               struct process *out_process, struct diagnostic *diagnostic)
{
    struct process process = {.pid_fd = -1};
    pid_t self = getpid();
    int pipe_fds[2];
    enum error error = pipe_pair(pipe_fds, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    /* Out of the way of the descriptor that the channel becomes. */
    int failure_fd = fcntl(pipe_fds[1], F_DUPFD_CLOEXEC, CHANNEL_FD + 1);
    descriptor_close(&pipe_fds[1]);
    process.pid = failure_fd < 0 ? -1 : fork();
    if (process.pid == 0) {
        become_program(command, client_fd, self);
        int cause = errno;
        _exit(write(failure_fd, &cause, sizeof cause) == (ssize_t)sizeof cause
                  ? EXIT_NOT_STARTED
                  : EXIT_NOT_STARTED + 1);
    }
    descriptor_close(&failure_fd);
    if (process.pid < 0) {
        error = environment_failure("no process could be started", diagnostic);
        descriptor_close(&pipe_fds[0]);
        return error;
    }
    process.pid_fd = (int)syscall(SYS_pidfd_open, process.pid, 0);
    int cause = read_failure(pipe_fds[0]);
    descriptor_close(&pipe_fds[0]);
    if (process.pid_fd < 0 && cause == 0) {
        error = environment_failure("the program cannot be watched (pidfd_open)", diagnostic);
        process_kill(&process, false);
        return error;
    }
    if (cause != 0) {
        process_kill(&process, false);
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be executed: %s", command->path,
                       strerror(cause));
        return ERROR_FAILED;
    }
    *out_process = process;
    return ERROR_NONE;
}
