/* launch_work.h: how much a launch may do.
 *
 * The limit is of work, so that no verdict depends on how fast or how busy a machine is. Its unit
 * is about what an addition in the 32 lanes of a warp costs to emulate. Each op has its weight
 * (op_work; tests/bench/emulated_speed.sh shows what a unit costs), and so has each turn of a warp,
 * also of one that only waits, what is cleared when a block or a frame begins, and what judging
 * races takes beyond its share (race_judge.h). The work of a launch follows from its kernel and its
 * inputs alone. Workers add theirs to one sum; whether it passes the limit does not depend on their
 * number, but what has been done by then does. So a launch that passes it on several threads is
 * taken back and runs again on one (grid_run.c).
 *
 * The processor time of each thread has a limit too. It protects the machine from ops that cost far
 * more than their weight, and is so far off that work ends a launch first.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_LAUNCH_WORK_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_LAUNCH_WORK_H

#include "device/emulated/machine.h"

enum {
    TURN_WORK = 8,     /* of a turn of a warp, besides its ops */
    IDLE_WORK = 4,     /* of looking at a warp that cannot run */
    PAGE_WORK = 64,    /* of the first touch of a chunk of local memory */
    CLEAR_BYTES = 256, /* of memory that a block or a frame begins with: so many cost one unit */
};

/* The work of all blocks that a worker has begun in which their warps may do nothing but wait for
 * what others store: then nobody is left who will. Some wait for a time to pass, which takes less.
 */
#define WAITING_WORK_MOST (UINT64_C(1) << 27)

/* The weight of an op, at least 1; an access has one for each space (enum ptx_space). */
uint8_t op_work(uint16_t code, uint8_t space);

/* Processor time of the calling thread. */
uint64_t thread_time_ns(void);

/* Starts the time of a worker; on its own thread. */
void worker_start_clock(struct worker *worker);

/* Adds work to the sum, at once or with what follows. */
void worker_add_work(struct worker *worker, uint64_t work);

/* Adds what has not been added yet; when a worker has run its last block. */
void worker_finish_work(struct worker *worker);

/* True if the launch has to stop, launch->stop says why; on the worker's own thread. */
bool launch_must_stop(struct worker *worker);

/* Makes the launch stop; the first reason counts. */
void launch_stop(struct launch *launch, enum launch_stop why);

/* Why the launch has to stop, as far as any worker has said so. */
enum launch_stop launch_stopped(const struct launch *launch);

#endif
