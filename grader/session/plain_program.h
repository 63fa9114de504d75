/* plain_program.h: starts a program as its user would, with a channel to a device.
 *
 * It inherits the working folder, standard input, output and error, the process group with its
 * terminal, limits and every descriptor that gpugrade did not open. Descriptor 3 is the client
 * channel. The program dies when the process that started it dies.
 */
#ifndef GPUGRADE_SESSION_PLAIN_PROGRAM_H
#define GPUGRADE_SESSION_PLAIN_PROGRAM_H

#include "base/diagnostic.h"
#include "base/process.h"

#include <signal.h>

struct plain_command {
    const char *path;               /* of the executable */
    const char *const *arguments;   /* NULL-terminated, [0] is the name */
    const char *const *environment; /* NULL-terminated */
    sigset_t signal_mask;           /* blocked in the program */
    bool ignores_broken_pipe;       /* SIGPIPE is ignored in it; else it ends the program */
};

/* Forks and executes; `client_fd` stays the caller's. Errors: ERROR_ENVIRONMENT (no process),
 * ERROR_FAILED (it cannot be executed; blames the usage). */
enum error plain_program_start(const struct plain_command *command, int client_fd,
                               struct process *out_process, struct diagnostic *diagnostic);

#endif
