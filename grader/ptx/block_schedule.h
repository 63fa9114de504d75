/* block_schedule.h: how many registers the values of one block need at once. Private to ptx/.
 *
 * An assembler orders the steps of a block so that latencies are hidden: of the steps whose
 * operands are there the one with the longest way to the end of the block comes first. This is done
 * here with round latencies, and the values that live at once are counted. Each write makes a value
 * of its own, so a loop can be written out several times.
 */
#ifndef GPUGRADE_PTX_BLOCK_SCHEDULE_H
#define GPUGRADE_PTX_BLOCK_SCHEDULE_H

#include "ptx/kernel_flow.h"

struct schedule_plan {
    uint32_t copies;       /* how often the block is written out, one after the other */
    bool awaits_all_loads; /* loads take so long that all are started before one is awaited */
};

/* The most 32-bit registers at once. */
struct block_pressure {
    uint32_t written; /* in the order of the text */
    uint32_t listed;  /* in the order that hides latencies */
    uint32_t kept;    /* the same, if what memory accesses read stays until the block ends */
};

struct block_scheduler;

/* Everything lives in the arena. `work_left` is charged for each step that is looked at. */
struct block_scheduler *block_scheduler_new(struct arena *arena, const struct kernel_flow *flow,
                                            uint64_t *work_left);

/* Schedules one block, after which the registers after[after_count] are live. False: it is too
 * large, or no work is left. */
bool block_schedule(struct block_scheduler *scheduler, const struct flow_block *block,
                    const struct schedule_plan *plan, const uint32_t *after, size_t after_count,
                    struct block_pressure *out_pressure);

#endif
