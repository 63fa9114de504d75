/* launch_clock.h: how long a launch may take.
 *
 * The limit is of processor time, for each thread of the host that runs its blocks: a right program
 * is not judged late because others use the machine. A thread uses no more of it than what passes,
 * so it is asked for only when all of what is left may have been used. A launch that hardly gets
 * any ends LAUNCH_WALL_SLACK_NS after the time of its limit, with what is run again for its order.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LAUNCH_CLOCK_H
#define GPUGRADE_DEVICE_EMULATED_LAUNCH_CLOCK_H

#include "base/clock.h"
#include "device/emulated/machine.h"

/* The grader waits longer for a reply (session/connection.c). */
#define LAUNCH_WALL_SLACK_NS (UINT64_C(15) * CLOCK_NS_PER_S)

/* Processor time of the calling thread. */
uint64_t thread_time_ns(void);

/* When the wall clock ends a launch that starts now and has this limit. */
uint64_t launch_wall_end_ns(uint64_t limit_ns);

/* Starts the time of a worker; on its own thread. */
void worker_start_clock(struct worker *worker);

/* True if the launch has to stop; on the worker's own thread. */
bool launch_is_late(struct worker *worker);

#endif
