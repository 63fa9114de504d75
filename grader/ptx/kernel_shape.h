/* kernel_shape.h: what in a kernel makes an assembler use more registers than its values need at
 * once. Private to ptx/. */
#ifndef GPUGRADE_PTX_KERNEL_SHAPE_H
#define GPUGRADE_PTX_KERNEL_SHAPE_H

#include "ptx/kernel_flow.h"

struct kernel_shape {
    uint32_t instructions;
    uint32_t block_loads; /* the most loads in one block that nothing keeps apart */
    uint32_t loaded;      /* the most registers that loads write between two barriers or stores to
                             the same space, in the order of the text */
    bool has_loop;
    uint32_t loop_loaded; /* the most registers that loads write in an innermost loop without
                              barriers: such a loop is unrolled */
    bool has_division;    /* or a root, or a reciprocal, to be computed by steps */
    bool has_long_division;
    bool has_double_division;
    bool has_constant_division;
    bool has_unknown; /* an instruction that the parser does not know */
    bool has_call;
};

void kernel_shape_find(const struct ptx_module *module, const struct kernel_flow *flow,
                       struct kernel_shape *out_shape);

#endif
