/* Traces, reads and follows other processes: its parent, the grader, the device. */
#define ATTACK_AT_PRINT try_processes
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* All that one process may do to another. */
static void try_process(pid_t pid)
{
    char bytes[16];
    char path[64];
    struct iovec here = {bytes, sizeof bytes};
    struct iovec there = {(void *)&attempts_end, sizeof bytes};
    attempt(process_vm_readv(pid, &here, 1, &there, 1, 0) > 0, "memory of another process");
    attempt(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0, "tracing another process");
    const int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (handle >= 0) {
        attempt(syscall(SYS_pidfd_getfd, handle, 0, 0) >= 0, "a descriptor of another process");
        close(handle);
    }
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    attempt_read(path);
    snprintf(path, sizeof path, "/proc/%d/fd/1", (int)pid);
    const int output = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    attempt(output >= 0, path);
    close(output);
}

static void try_processes(void)
{
    char path[64];
    try_process(getppid());
    for (pid_t pid = 1; pid < 70000; pid++) {
        snprintf(path, sizeof path, "/proc/%d", (int)pid);
        if (pid != getpid() && (pid < 500 || access(path, F_OK) == 0)) {
            try_process(pid);
        }
    }
    attempt(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0, "being traced");
    attempts_end();
}
