/* paths.h: lanes of a warp that went different ways.
 *
 * Of the paths that can run, the one with the lowest program counter runs until it reaches the
 * counter of another one; then the two merge. Compilers lay out code so that paths meet this way at
 * the end of a branch or a loop. Paths that are deeper in calls go first, so that they have
 * returned before the others continue; only paths of the same depth merge. A loop that waits for
 * another path of its own warp would then never end, so after a turn of TURN_OPS ops in loops
 * another path gets the next turn.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_PATHS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_PATHS_H

#include "device/emulated/machine.h"

enum {
    TURN_OPS = 1 << 14,           /* ops that a warp runs in loops before others get their turn */
    TURN_OPS_DIVERGENT = 1 << 13, /* when several of its paths can run */
    ATOMIC_OPS = 128,             /* what an atomic counts for: in a loop, it is often a lock */
    POLL_OPS = 2048,              /* the same of a load that waits for what others store */
};

/* Counts the instructions of the running path, and their work, from `op` on. */
static inline void warp_count_from(struct warp *warp, const struct op *op)
{
    warp->segment = op->ordinal;
    warp->segment_work = op->work;
}

/* Counts the instructions of the running path up to `op`, without it or with it. */
static inline void warp_count_until(struct warp *warp, const struct op *op)
{
    uint32_t count = op->ordinal - warp->segment;
    warp->block->warp_instructions += count;
    warp->block->lane_instructions += (uint64_t)count * warp->active_count;
    warp->block->work += op->work - warp->segment_work;
    warp->segment = op->ordinal;
    warp->segment_work = op->work;
}

static inline void warp_count_through(struct warp *warp, const struct op *op)
{
    uint32_t count = op->ordinal + 1 - warp->segment;
    warp->block->warp_instructions += count;
    warp->block->lane_instructions += (uint64_t)count * warp->active_count;
    warp->block->work += op->work + op->own_work - warp->segment_work;
    warp->segment = op->ordinal + 1;
    warp->segment_work = op->work + op->own_work;
}

/* Subtracts lanes that a guard disabled from the count. */
static inline void warp_discount(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != warp->active && (op->flags & OP_COUNTED) != 0) {
        uint32_t skipped = (uint32_t)__builtin_popcount(warp->active & ~mask);
        warp->block->lane_instructions -= skipped;
    }
}

/* Sets a warp to its beginning: lanes [0, lanes) at the first op. */
void warp_start(struct warp *warp, uint32_t lanes);

/* Begins a turn of a warp; false if none of its paths can run. */
bool warp_begin_turn(struct warp *warp);

/* Chooses the path to run next, merges those that are at the same op. warp->pc must be that of the
 * running path. If none can run, the warp is suspended. */
void warp_schedule(struct warp *warp);

/* Moves the running path on to `pc`; looks for another one where there are several. */
void warp_jump(struct warp *warp, const struct op *pc);

/* The same for calls and returns, which count for `cost` ops in either direction. */
void warp_transfer(struct warp *warp, const struct op *pc, uint32_t cost);

/* Splits the running path: `mask`, a part of it, becomes a path of its own at `pc`, which runs if
 * it is chosen. The caller schedules. */
struct path *warp_split(struct warp *warp, uint32_t mask, const struct op *pc);

/* The running path; its pc is brought up to date. */
struct path *warp_current(struct warp *warp);

/* Stops lanes of the running path at `op` for good; the others continue after it. The stopped lanes
 * stay alive, so threads that wait for them wait until the block has nothing else to do; then it
 * ends with `failure`. So the findings do not depend on which warp runs first. */
void warp_fail_lanes(struct warp *warp, const struct op *op, uint32_t mask,
                     enum block_state failure);

/* Executes the op at warp->pc as the hot loop does (warp_loop.c). */
void warp_step(struct warp *warp);

/* Lanes of a warp that are alive, without those whose next instruction is an exit. */
uint32_t warp_lanes_that_stay(const struct warp *warp);

/* Takes lanes away for good; the path may have become empty. The caller schedules. */
void warp_exit_lanes(struct warp *warp, uint32_t mask);

#endif
