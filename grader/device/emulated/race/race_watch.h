/* race_watch.h: detects races in shared memory, and reads of shared memory that no thread wrote.
 *
 * Definition. Two accesses to the same byte of shared memory race if different threads make them,
 * one is a write, not both are atomic, not both write the same value, and nothing orders them:
 *   - a barrier that both threads take part in (one that has exited takes part in all later ones,
 *     as on hardware); an arrival (bar.arrive) orders the thread before those that wait;
 *   - within a warp, bar.warp.sync whose mask covers both lanes;
 *   - a release by one thread and a later acquire by another. A release is an atomic or a store
 *     with .release or .acq_rel, or the first atomic, volatile or ordered store after a fence; an
 *     acquire is an atomic or a load with .acquire or .acq_rel, or a fence after an atomic, a
 *     volatile or an ordered load. The addresses and scopes of both are ignored, so
 *     nothing that is ordered is taken for a race;
 *   - any chain of these, and of the program order of threads.
 * Atomics that are relaxed order nothing without fences. Exchanges between lanes (shfl, vote,
 * match) order nothing. Two lanes that store different values to one byte by the same instruction
 * race. Atomic accesses are atom, red, and those with .relaxed, .acquire or .release, whatever
 * their scope; .volatile accesses are not. A plain read does not race with atomics if it only
 * begins a loop of compare-and-swap: if at its site some thread reads the word and later does an
 * atom.cas on all bytes of it that it read. What it saw is compared then, or is as good as what it
 * would have seen at another time. A read is of uninitialised memory if no write to the byte is
 * ordered before it, nor races with it; updates by atom and red (but not exch) read. A lane's own
 * writes are in its program order.
 *
 * So what is found depends on the kernel and its inputs only, never on the order in which the
 * emulator runs warps and blocks (unless the kernel itself acts on such an order, as with atomics,
 * releases and acquires).
 *
 * What is reported. A pair of sites: accesses of one role at one place of the source
 * (lower_watch.c). The kind is SHARED_RACE if threads of different warps race there, WARP_RACE if
 * only lanes of one warp do. The count is the number of (block, interval, word): words of 4 bytes,
 * and intervals from one barrier of the whole block to the next, in which the pair races. The first
 * occurrence is that of the lowest block, then interval, then word, then threads. For
 * SHARED_UNINITIALISED it is the same with one site.
 *
 * How. Each block keeps a log of its accesses since the last barrier of the whole block, one short
 * entry for each request of a warp (race_interval.h); loads that are known from an earlier one are
 * not even logged (lower_watch.c). When the interval ends it is judged: looked up among those that
 * the worker has judged before (race_memo.h), else among accesses that are known not to race
 * (race_cover.h), else by a state for each word where that is enough (race_sketch.h), or else by
 * all accesses of each word (race_cells.h, race_judge.h).
 * When the log is full it goes into the cells and on. An interval that is too large even for those
 * (RACE_ITEMS_MAX) ends the launch as if its time were over.
 *
 * A barrier is counted as needed (access_counts.h) if an access of the interval before it and one
 * of the interval after it would race without it.
 *
 *   worker->races   race_memory: verdicts
 *   block->races    race_log: the interval that runs and the one before it
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_WATCH_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

/* What a worker keeps of one launch, and of one block at a time. NULL where nothing is watched:
 * without shared memory, or when the launch is unwatched. Abort without memory. */
struct race_memory;
struct race_log;
struct race_memory *race_memory_new(const struct launch *launch);
void race_memory_free(struct race_memory *memory); /* NULL is accepted */
struct race_log *race_log_new(const struct block *block);
void race_log_free(struct race_log *log); /* NULL is accepted */

/* One request to shared memory that is valid as a whole: the lanes of pattern->active at `first`
 * (an offset in shared memory) plus pattern->delta. Before a store is carried out. */
void race_log_pattern(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                      uint32_t first);

/* One request, lane by lane: offsets[lane] for the lanes of `mask`. Invalid lanes are removed
 * later. */
void race_log_lanes(struct warp *warp, const struct op *op, uint32_t mask,
                    const uint32_t offsets[LANES]);

/* The .shared variable that contains an offset; NULL if there is none. */
const struct shared_tile *race_tile_at(const struct block *block, uint64_t offset);

/* All threads of the block that have not exited passed a barrier; the lowest waited at `op`. */
void race_barrier(struct block *block, const struct op *op);

/* Lanes of a warp come to a barrier with a count of threads, and wait or only arrive. */
void race_partial_arrival(struct warp *warp, uint32_t barrier, uint32_t mask, bool waits);

/* Such a barrier has completed; `op` is where the lowest thread waited. If all threads of the
 * block waited, it is one of the whole block: true then. */
bool race_partial_barrier(struct block *block, uint32_t barrier, const struct op *op);

/* The lanes of `mask` have executed a fence. */
void race_fence(struct warp *warp, uint32_t mask);

/* Lanes have made an access, in whatever space, that orders others: bits of enum access_order. It
 * has been logged. */
void race_order_access(struct warp *warp, uint8_t order, uint32_t mask);

/* The lanes of `mask` have passed a bar.warp.sync together. */
void race_warp_sync(struct warp *warp, uint32_t mask);

/* Begins and ends a block; the end judges the last interval. */
void race_block_start(struct block *block);
void race_block_finish(struct block *block);

#endif
