/* exchange.h: instructions in which lanes of a warp see each other's registers.
 *
 * A shuffle that reads a lane which does not execute it gives 0: one that has exited, that went
 * another way, that a guard excludes or that the launch does not have. PTX leaves this undefined.
 * An H200 gives 0 in each of these cases in optimised code (CUDA 13.0, sm_90 and compute_80), and
 * in the four that ran with -G before a wrong mask ended the kernel. A lane that executes the same
 * shuffle under another mask gives its value there in optimised code and 0 in code of -G; here it
 * gives its value. The predicate says whether the lane that is read is in range, whoever executes.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_EXCHANGE_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_EXCHANGE_H

#include "device/emulated/machine.h"

/* Destination and sources of the ops below: slots in the order of the PTX operands. NO_SLOT stands
 * for a destination that is not written. */
#define NO_SLOT UINT32_MAX

void shuffle_run(struct warp *warp, const struct op *op, uint32_t mask);
/* The lane whose value a lane gets from a shuffle, if that one takes part. */
unsigned shuffle_lane(const struct warp *warp, const struct op *op, unsigned lane);

void vote_run(struct warp *warp, const struct op *op, uint32_t mask);
void match_run(struct warp *warp, const struct op *op, uint32_t mask);
void reduce_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Waits for all lanes of the warp: before what a warp does as one, as on tensor cores. Lanes that
 * do not come are reported, also if they have exited or the launch does not have them. */
void join_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Reports lanes of `mask` that are not among the lanes that they name (members[lane]), and lanes of
 * `missing` that are named and did not come. */
void exchange_report(struct warp *warp, const struct op *op, const uint32_t *members, uint32_t mask,
                     uint32_t missing);

/* Resumes one path that waits for lanes of its warp that cannot come; false if none waits. */
bool exchange_force(struct block *block);

#endif
