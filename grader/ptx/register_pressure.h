/* register_pressure.h: how many registers the values of a kernel need at once. Private to ptx/. */
#ifndef GPUGRADE_PTX_REGISTER_PRESSURE_H
#define GPUGRADE_PTX_REGISTER_PRESSURE_H

#include "ptx/kernel_flow.h"

/* The order of the steps of a block. */
enum step_order {
    ORDER_WRITTEN,
    ORDER_LATE,  /* what computes a value stands just before its first reader */
    ORDER_EARLY, /* loads, and what computes their addresses, stand right after the fence before */
    STEP_ORDERS
};

struct register_pressure {
    uint32_t varying[STEP_ORDERS]; /* the most 32-bit registers at once, without uniform values */
    uint32_t all[STEP_ORDERS];
    uint32_t predicates;
};

/* False if the kernel is too large to examine. */
bool register_pressure_find(struct arena *arena, const struct kernel_flow *flow,
                            struct register_pressure *out_pressure);

#endif
