/* barriers.h: threads of a block that wait for each other.
 *
 * Each thread arrives for itself, as on hardware since compute capability 7.0: a barrier completes
 * when all threads of the block that have not exited wait at it, whatever instruction they wait at.
 * Execution continues as on hardware, but what the programming guide leaves undefined is reported:
 *
 *   BARRIER_DIVERGENT   part of a warp waited while the rest of it neither waited at the same
 *                       instruction nor was about to exit; count: the threads that were missing
 *   BARRIER_MISMATCH    undivided warps waited at different places of the source, at a barrier
 *                       without a count of threads (those with one are made to be met from several
 *                       places); count: the threads that waited at another place than the lowest
 *   BARRIER_INCOMPLETE  threads had exited before a barrier of the whole block completed. PTX lets
 *                       an exit count as an arrival, so it works; but __syncthreads() is only
 *                       defined where all threads of the block come to it. One for each pair of a
 *                       barrier and an exit; count: threads that were missing, each time
 *   BARRIER_DEADLOCK    nothing of the block can run any more; a place for each instruction where
 *                       threads wait, by lowest thread, as many as a record holds; count: all
 *                       threads that wait
 *   WAITS_FOREVER       the same where threads wait in loops that never end (waiting.h)
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_BARRIERS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_BARRIERS_H

#include "device/emulated/finding_table.h"
#include "device/emulated/machine.h"

/* Executes bar.sync, bar.arrive and bar.red. */
void barrier_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Executes bar.warp.sync; lanes that do not match their mask are reported (exchange.h). */
void warp_sync_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Notes that lanes have exited, and completes barriers that waited only for them. */
void barriers_after_exit(struct warp *warp, const struct op *op, uint32_t mask);

/* Reports that no thread of the block can go on, with the places where threads wait; `what` gives
 * the kind and what they wait for. */
void barriers_report_deadlock(struct block *block, const struct fault *what);

/* Adds a finding at an op, for the lowest lane of `mask`; `other` (NULL: none) gives the second
 * place. */
void block_report(struct warp *warp, enum finding_record_kind kind, const struct path *path,
                  uint32_t access, const struct warp *other_warp, const struct path *other,
                  uint64_t count);

#endif
