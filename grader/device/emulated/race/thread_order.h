/* thread_order.h: which accesses of other threads a thread has seen, in its block and in others.
 *
 * race_watch.h tells what orders two threads; between blocks it is releases and acquires
 * alone, and a scope that is too small orders nothing: one of a block reaches that block only.
 *
 * Every block has a time, which grows with each of its events. An access is known by its thread and
 * the time of its block (its epoch). Within a block it is seen
 *   - by all threads, once the whole block has met at a barrier after it;
 *   - by lanes of its warp that have met it at bar.warp.sync;
 *   - by warps that have waited for its warp at a barrier with a count of threads;
 *   - by threads that have acquired what was released after it.
 * A barrier of the whole block acquires like a fence: all threads after it know what one of them
 * has loaded by an atomic or a volatile access before it (CUDA C++ Programming Guide, "Memory Fence
 * Functions": the last block of that example has no fence of its own there).
 * A relaxed store to the whole device and a relaxed load that comes later order what the one thread
 * has read before what the other one writes: what is stored there mostly depends on what was read.
 *
 * Releases have a clock that all blocks share. An acquire sees all that are on the clock by then,
 * whatever their addresses; so one number for each thread says what it has acquired. A block keeps
 * its releases, since an access may be asked for later: the newest ones as they were, older ones
 * two at a time as one that shows more (RELEASES_MAX). So nothing that is ordered is taken for a
 * race.
 *
 *   thread_order -> block_order[blocks]   time, releases
 *                     live                while the block runs: what each thread has seen
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_THREAD_ORDER_H
#define GPUGRADE_DEVICE_EMULATED_RACE_THREAD_ORDER_H

#include "device/emulated/machine.h"

struct thread_order;

/* An access in the past. */
struct past_access {
    uint64_t block; /* linear */
    uint32_t thread, epoch;
    bool is_read;
};

/* For a launch with `blocks` blocks that are known; NULL without memory. What comes later aborts
 * without memory. */
struct thread_order *thread_order_new(const struct launch *launch, uint64_t blocks);
void thread_order_free(struct thread_order *order); /* NULL is accepted */

/* The time of a block, as the epoch of its next access. */
uint32_t thread_order_epoch(const struct thread_order *order, uint64_t block);

/* True if a thread of a block that runs has seen an access. */
bool thread_order_has_seen(const struct thread_order *order, uint64_t block, uint32_t thread,
                           const struct past_access *access);

/* True if a fence comes before the next access of a lane that can release. */
bool thread_order_has_fenced(const struct thread_order *order, const struct warp *warp,
                             unsigned lane);

/* What happens: a block begins and ends; all of its threads pass a barrier; lanes of a warp pass a
 * bar.warp.sync; they come to a barrier with a count, which then completes; they have executed a
 * fence, or an access that orders (bits of enum access_order). Nothing is done where `order` is
 * NULL. */
void thread_order_start(struct thread_order *order, uint64_t block);
void thread_order_finish(struct thread_order *order, uint64_t block);
void thread_order_barrier(struct thread_order *order, uint64_t block);
void thread_order_warp_sync(struct thread_order *order, const struct warp *warp, uint32_t mask);
void thread_order_arrival(struct thread_order *order, const struct warp *warp, uint32_t barrier,
                          uint32_t mask, bool waits);
void thread_order_completion(struct thread_order *order, uint64_t block, uint32_t barrier);
void thread_order_fence(struct thread_order *order, const struct warp *warp, uint32_t mask,
                        bool is_of_device);
void thread_order_access(struct thread_order *order, const struct warp *warp, uint8_t kind,
                         uint32_t mask);

#endif
