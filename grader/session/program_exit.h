/* program_exit.h: is a program that no longer has its channel on its way out? */
#ifndef GPUGRADE_SESSION_PROGRAM_EXIT_H
#define GPUGRADE_SESSION_PROGRAM_EXIT_H

#include <stdbool.h>
#include <sys/types.h>

/* True if a process is ending or has ended. A process gives up its descriptors only after it has
 * begun to end, so one whose channel is closed and for which this is false has closed it by itself.
 * True also where that cannot be found out. */
bool program_is_leaving(pid_t program);

#endif
