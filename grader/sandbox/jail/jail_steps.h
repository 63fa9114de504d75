/* jail_steps.h: what ended the processes that a program starts and waits for itself.
 *
 * A compiler is a driver: it starts a step, waits for it, and says in a text and an exit status of
 * its own how that went. Only the one who waits learns the step's wait status, but for a tracer,
 * which learns it first. So the supervisor traces the compilers (never a student's program): it
 * stops nothing but starts of processes and signals, and lets each go on at once. The kernel's wait
 * statuses are facts that no source can put there. Where tracing is forbidden (by a container's
 * filter, by Yama's strictest setting) nothing is seen, and the record says so.
 */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_STEPS_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In the process that becomes the program, before it is confined: asks to be traced. */
void jail_steps_offer(void);

/* Takes what wait told of a process and adds it to the facts: jail.h says what the bits are. True
 * if the process has not ended but waits for its tracer; it goes on. */
bool jail_steps_take(pid_t process, int status, uint64_t *signals);

#endif
