/* process.h: children and descriptors.
 *
 * posix_spawn with an exact list of descriptors; waiting with deadlines through a pidfd. What a
 * child may do is not decided here (sandbox/ does that by spawning a helper).
 */
#ifndef GPUGRADE_BASE_PROCESS_H
#define GPUGRADE_BASE_PROCESS_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_DESCRIPTOR_MAX = 12 };

struct process_spec {
    const char *path;                        /* absolute */
    const char *const *arguments;            /* NULL-terminated, [0] is the name */
    const char *const *environment;          /* NULL-terminated; NULL means empty */
    int descriptors[PROCESS_DESCRIPTOR_MAX]; /* [i] becomes descriptor i in the child; -1: closed */
    size_t descriptor_count;
    bool own_group; /* start a process group of its own */
};

struct process {
    pid_t pid;
    int pid_fd; /* readable when the process has ended */
};

/* Starts a child. The caller keeps its own descriptors. Errors: ERROR_ENVIRONMENT. */
enum error process_start(const struct process_spec *spec, struct process *out_process,
                         struct diagnostic *diagnostic);

/* Waits until the child has ended or the deadline has passed; true if it has ended, then
 * *out_status holds what waitpid gives and the process is released. */
bool process_wait(struct process *process, uint64_t deadline_ns, int *out_status);

/* Kills the child (and its group, if it has one of its own) and waits for it. Safe after
 * process_wait returned true and on a zeroed struct. */
void process_kill(struct process *process, bool group);

/* A connected pair of local stream sockets, close-on-exec. */
enum error socket_pair(int out_fds[2], struct diagnostic *diagnostic);

/* A pipe, close-on-exec; [0] is the reading end. */
enum error pipe_pair(int out_fds[2], struct diagnostic *diagnostic);

/* Closes a descriptor and sets it to -1; -1 is accepted. */
void descriptor_close(int *fd);

#endif
