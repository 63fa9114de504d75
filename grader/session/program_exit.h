/* program_exit.h: is a program that has closed its channel about to end? */
#ifndef GPUGRADE_SESSION_PROGRAM_EXIT_H
#define GPUGRADE_SESSION_PROGRAM_EXIT_H

#include <stdbool.h>
#include <sys/types.h>

/* True if a process is ending or has ended, and also if that cannot be found out. The kernel closes
 * the descriptors of a process only after it has begun to end. So if its channel is closed and this
 * is false, the program has closed the channel itself. */
bool program_is_leaving(pid_t program);

#endif
