/* register_pressure.h: how many registers the values of a kernel need at once. Private to ptx/. */
#ifndef GPUGRADE_PTX_REGISTER_PRESSURE_H
#define GPUGRADE_PTX_REGISTER_PRESSURE_H

#include "ptx/kernel_flow.h"

/* The most 32-bit registers at once, and how many they are if what memory accesses read stays until
 * its block ends. */
struct pressure {
    uint32_t live, kept;
};

struct register_pressure {
    uint32_t written;         /* in the order of the text */
    struct pressure listed;   /* in an order that hides latencies (block_schedule.h) */
    struct pressure unrolled; /* the same, if innermost loops are written out four times */
    struct pressure early;    /* if all loads of a block are started before one is awaited */
};

/* False if the kernel is too large to examine, or no work is left: it is charged for what it needs.
 */
bool register_pressure_find(struct arena *arena, const struct kernel_flow *flow,
                            uint64_t *work_left, struct register_pressure *out_pressure);

#endif
