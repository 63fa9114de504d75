/* barriers.h: threads of a block that wait for each other.
 *
 * Each thread arrives for itself, as on hardware since compute capability 7.0: a barrier completes
 * when all threads of the block that have not exited wait at it, whatever instruction they wait at.
 * Part of a warp that waits while the rest of it neither waits at the same instruction nor was
 * about to exit is reported as divergent; the barrier still works.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_BARRIERS_H
#define GPUGRADE_DEVICE_EMULATED_BARRIERS_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

/* Executes bar.sync, bar.arrive and bar.red. */
void barrier_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Executes bar.warp.sync. */
void warp_sync_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Lets barriers go on that waited only for threads that have exited now. */
void barriers_after_exit(struct block *block);

/* Reports that nothing of the block can run any more, with the places where threads wait. */
void barriers_report_deadlock(struct block *block);

/* Adds a finding at an op, for the lowest lane of `mask`; `other` (NULL: none) gives the second
 * place. */
void block_report(struct warp *warp, enum finding_record_kind kind, const struct path *path,
                  uint32_t access, const struct warp *other_warp, const struct path *other,
                  uint64_t count);

#endif
