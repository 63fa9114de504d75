/* jail_steps.h: what ended the processes that a program starts and waits for itself.
 *
 * A compiler is a driver: it starts a step, waits for it, and reports the result in its own text
 * and exit status. Only the process that waits gets the step's wait status, apart from a tracer,
 * which gets it first. So the supervisor traces the compilers (never a student's program): it stops
 * only at process starts and signals, and lets each continue at once. The kernel's wait statuses
 * cannot be forged by any source code. Where tracing is forbidden (by a container's filter, by
 * Yama's strictest setting) nothing is seen, and the record says so.
 */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_STEPS_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In the process that becomes the program, before it is confined: asks to be traced. */
void jail_steps_offer(void);

/* Adds the wait status of a process to the facts; jail.h explains the bits. True if the process has
 * not ended but waits for its tracer; it is resumed. */
bool jail_steps_take(pid_t process, int status, uint64_t *signals);

#endif
