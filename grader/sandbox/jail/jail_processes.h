/* jail_processes.h: which processes there are, from /proc. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_PROCESSES_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How many tasks there are: of process 1 of a namespace all of it, else those of the user (0: the
 * user of this process). */
uint64_t jail_tasks_count(uint64_t uid);

/* Does a process of one of the slot's two users run, besides this one? */
bool jail_slot_is_busy(uid_t uid);

/* Sends a signal to all processes that descend from this one and live, with SIGSTOP to those that
 * are not stopped yet. True if there was one. */
bool jail_descendants_signal(int signal);

#endif
