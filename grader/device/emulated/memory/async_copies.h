/* async_copies.h: cp.async: copies from global to shared memory that are under way until their
 * thread has waited for them.
 *
 *   cp.async            COPY_READ   takes the bytes from global memory into slots of its own
 *                       COPY_WRITE  notes them, and poisons the bytes of shared memory
 *   cp.async.commit_group           closes a group of each lane's copies
 *   cp.async.wait_group N, wait_all writes those that are due into shared memory
 *
 * PTX says only that a copy is complete when its thread has waited for it. Here it is written at
 * the last moment, so a thread that reads too early reads poison. For race_watch.h it is written
 * when it begins, in each interval that ends while it is under way, and when it completes: an
 * access by another thread in between races with it. A copy that its thread never waits for
 * completes when its lane exits. A copy to the same bytes by the same instruction replaces an
 * earlier one that is still under way; where a warp has more than COPIES_MOST, the oldest one
 * completes.
 *
 * cp.async.mbarrier.arrive completes all copies of its lane for race_watch.h and then arrives
 * (mbarriers.h). Their bytes are written when a thread first finds that the phase is over: who
 * never asks reads poison.
 *
 * A read of bytes that a copy of the same lane, or one that only an mbarrier tells of, has not
 * written yet is a finding. Other reads of them are races.
 *
 * Source: PTX ISA 9.0, "Data Movement and Conversion Instructions: Asynchronous copy".
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_ASYNC_COPIES_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_ASYNC_COPIES_H

#include "device/emulated/machine.h"

enum { COPIES_MOST = 256 }; /* under way, of a warp */

/* The copies of a block's warps; NULL for a kernel that has none. Aborts without memory. */
struct copy_queue *copy_queues_new(const struct block *block);
void copy_queues_free(struct copy_queue *queues, uint32_t warp_count); /* NULL is accepted */

/* Forgets all copies, when a block begins. */
void copy_queues_start(struct block *block);

/* The lanes of `mask` exit: their copies complete. */
void copies_exit(struct warp *warp, uint32_t mask);

/* All threads of the block have passed a barrier: what is under way is written in the next interval
 * too. */
void copies_pass_barrier(struct block *block);

/* cp.async.mbarrier.arrive: the copies of some lanes belong to the mbarriers where[lane], NULL for
 * none; those that arrive with it. */
void copies_bind(struct warp *warp, uint32_t mask, uint8_t *const where[LANES]);

/* A thread knows that a phase of an mbarrier is over. */
void copies_land(struct block *block, const uint8_t *mbarrier);

/* Lanes of `mask` have read `bytes` at where[lane], NULL for none. */
void copies_check_read(struct warp *warp, const struct op *op, uint32_t mask,
                       const uint8_t *const where[LANES]);

/* Handlers. */
void copy_read_run(struct warp *warp, const struct op *op, uint32_t mask);
void copy_write_run(struct warp *warp, const struct op *op, uint32_t mask);
void copy_commit_run(struct warp *warp, const struct op *op, uint32_t mask);
void copy_wait_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
