/* kernel_shape.h: what in a kernel makes an assembler use more registers than its values need at
 * once. Private to ptx/. */
#ifndef GPUGRADE_PTX_KERNEL_SHAPE_H
#define GPUGRADE_PTX_KERNEL_SHAPE_H

#include "ptx/kernel_flow.h"

struct kernel_shape {
    uint32_t instructions;
    bool has_loop;
    bool has_steps;      /* a division, a root or a function of libdevice, computed by steps */
    bool has_long_steps; /* the same of 64 bits */
    bool has_unknown;    /* an instruction that the parser does not know */
    bool has_call;
    bool has_outside_call; /* by the calling convention: the callee is not in the module, or is
                              reached by its address or by recursion */
};

void kernel_shape_find(const struct ptx_module *module, const struct kernel_flow *flow,
                       struct kernel_shape *out_shape);

#endif
