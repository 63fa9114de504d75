/* grid_run.h: all blocks of a launch.
 *
 * Blocks run over the host's cores, and what is reported does not depend on their number: findings
 * name the first block and thread, blocks that fault do not stop others. Kernels whose blocks can
 * see each other (global atomics, volatile and ordered accesses) run their blocks in order on one
 * core; a block that makes no progress lets later ones start and take turns with it.
 *
 * With a shuffle_seed, blocks are taken in another order, and the warps of every block take their
 * turns in another one each round.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_GRID_RUN_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_GRID_RUN_H

#include "device/emulated/exec/print_buffer.h"
#include "device/emulated/finding_table.h"
#include "device/emulated/machine.h"

/* What all workers of a launch have seen together. */
struct grid_outcome {
    enum launch_status status;
    struct device_counters counters;
    struct finding_table findings;
    struct access_counts *counts; /* access_counts.h; NULL: not counted */
    struct print_buffer printed[PRINT_STREAMS];
    struct order_bytes touched; /* if the launch asks; owned */
    bool order_can_matter; /* what was written may depend on the order of the blocks, or it was not
                              watched */
    bool keeps_memory; /* all bytes of global memory are as before; false also if it is not known */
};

/* Runs the launch to its end with at most `threads` threads of the host; at most `resident_max`
 * blocks of an ordered kernel are under way at once. */
void grid_run(struct launch *launch, uint32_t threads, uint64_t resident_max,
              struct grid_outcome *out_outcome);
void grid_outcome_release(struct grid_outcome *outcome);

/* Runs the launch to its end with its blocks in order, and undoes it: it can run as if it had not
 * run yet, and the outcome says what that will show. False if there is no room to undo it, or it
 * uses the heap: then it has not run. */
bool grid_rehearse(struct launch *launch, uint64_t resident_max, struct grid_outcome *out_outcome);

#endif
