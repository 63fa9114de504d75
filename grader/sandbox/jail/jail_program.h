/* jail_program.h: how a process of the helper becomes the program. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_PROGRAM_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_PROGRAM_H

#include "sandbox/jail/jail_job.h"

#include <sys/types.h>

/* Becomes the job's program, in a process whose parent is the supervisor. Returns only if that
 * fails, with errno set. */
void jail_become_program(const struct jail_job *job, pid_t supervisor);

#endif
