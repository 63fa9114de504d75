/* kernel_flow.h: one function of PTX as values that are written and read, and as blocks. Private to
 * ptx/.
 *
 * What an assembler folds away is left out (flow_values.h). Each value has a cost in 32-bit
 * registers: predicates have none.
 *
 *   step      one instruction: the values it writes and reads, and whether it may be moved
 *   block     steps [first, end), entered at the first alone and left at the last alone
 */
#ifndef GPUGRADE_PTX_KERNEL_FLOW_H
#define GPUGRADE_PTX_KERNEL_FLOW_H

#include "ptx/ptx.h"

enum step_kind {
    STEP_PLAIN, /* computes from registers alone */
    STEP_LOAD,
    STEP_FENCE, /* stores, barriers, atomics, calls: loads stay before or after it */
    STEP_BRANCH
};

struct flow_step {
    uint8_t kind;    /* enum step_kind */
    bool is_guarded; /* and where it does nothing, an old value stays */
    uint32_t first;  /* in `values`: first those that it writes, then those that it reads */
    uint32_t writes, reads;
};

struct flow_block {
    uint32_t first, end; /* steps */
    uint32_t successors_first, successor_count;
};

struct kernel_flow {
    const struct ptx_function *function;
    struct flow_step *steps; /* [step_count], one for each instruction */
    size_t step_count;
    uint32_t *values; /* [value_count] */
    size_t value_count, value_capacity;
    struct flow_block *blocks; /* [block_count] */
    size_t block_count;
    uint32_t *successors; /* [successor_count] indices of blocks */
    size_t successor_count, successor_capacity;
    uint8_t *registers; /* [function->register_count] what a value costs: 0, 1, 2 or 4 */
};

/* Everything lives in the arena. `loads_pointers`: as flow_values.h says. */
void kernel_flow_make(struct arena *arena, const struct ptx_function *function, bool loads_pointers,
                      struct kernel_flow *out_flow);

#endif
