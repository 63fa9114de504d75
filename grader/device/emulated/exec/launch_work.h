/* launch_work.h: how much a launch may do.
 *
 * The limit counts work, not time, so that no verdict depends on how fast or busy a machine is. One
 * unit is about the cost of emulating an addition in the 32 lanes of a warp. Each op has a weight
 * (op_work; tests/bench/emulated_speed.sh shows what a unit costs). So does each turn of a warp,
 * even of one that only waits, the memory that is cleared when a block or a frame begins, and race
 * checking beyond its share (race_judge.h). The work of a launch follows from its kernel and its
 * inputs alone. Workers add theirs to one sum. Whether it exceeds the limit does not depend on
 * their number, but what has been done by then does. So a launch that exceeds it on several threads
 * is undone and runs again on one (grid_run.c).
 *
 * The processor time of each thread has a limit too. It protects the machine from ops that cost far
 * more than their weight, and is so high that the work limit normally ends a launch first.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_LAUNCH_WORK_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_LAUNCH_WORK_H

#include "device/emulated/machine.h"

enum {
    TURN_WORK = 8,     /* of a turn of a warp, besides its ops */
    IDLE_WORK = 4,     /* of looking at a warp that cannot run */
    PAGE_WORK = 64,    /* of the first touch of a chunk of local memory */
    CLEAR_BYTES = 256, /* of cleared memory when a block or a frame begins: so many cost one unit */
};

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

/* Makes the launch stop; only the first reason is kept. */
void launch_stop(struct launch *launch, enum launch_stop why);

/* Why the launch has to stop, if any worker has reported a reason. */
enum launch_stop launch_stopped(const struct launch *launch);

#endif
