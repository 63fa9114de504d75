/* jail_supervise.h: starts the program, waits for it, and ends everything that it started. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_SUPERVISE_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_SUPERVISE_H

#include "sandbox/jail/jail_job.h"

/* Does the job; this process is already the supervising user of the job's slot. Returns an exit
 * status. */
int jail_supervise(const struct jail_job *job);

/* Ends the helper before the program was started, with a line that the grader shows to its user. */
_Noreturn void jail_give_up(const char *what);

enum { JAIL_EXIT = 125 };

#endif
