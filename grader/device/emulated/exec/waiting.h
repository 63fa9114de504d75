/* waiting.h: blocks that wait for each other, for time, or forever.
 *
 * A warp that polls (volatile or ordered loads, atomics that change nothing, tests of an mbarrier,
 * the clock, nanosleep) takes turns like any other one. Where all warps of the blocks under way
 * only do that, two things can still happen without them:
 *
 *   - Another block begins, and does what they wait for (grid_run.c).
 *   - Time passes. How much is not known, so it passes faster with each round, up to
 *     TIME_STEP_MOST: what waits for a time of the clock goes on soon.
 *
 * If neither helps, all of them are watched together (a joint watch of endless.h). When the lanes
 * of each path that runs have come back to a state in which they were, and none of them has changed
 * memory, no thread is left that could: they wait forever. A loop that asks for the time is one of
 * those if TIME_ENOUGH has made no difference to it. What cannot be proved so (loops with shuffles
 * or stores) runs until the work limit stops it.
 *
 * Threads that wait at a test of an mbarrier are in a deadlock (BARRIER_DEADLOCK), and the finding
 * says how many arrivals are missing; other loops are WAITS_FOREVER.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_WAITING_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_WAITING_H

#include "device/emulated/machine.h"

/* The work that warps spend only waiting after which time begins to pass faster. */
#define WAITING_FIRST (UINT64_C(1) << 20)

/* The most that a round of waiting adds to the time. Its 32-bit clock must not go round. */
#define TIME_STEP_MOST (UINT64_C(1) << 30)

/* True if the blocks that a worker has under way have only waited for long. */
bool waiting_is_long(const struct worker *worker);

/* After a round of all blocks that a worker has under way: lets time pass if they only wait. If
 * they wait forever, which is asked where no other block can begin, that is reported for the first
 * of them, with a place for each loop and barrier, and the launch stops. */
void waiting_after_round(struct block *const *blocks, size_t count, bool can_begin_another);

#endif
