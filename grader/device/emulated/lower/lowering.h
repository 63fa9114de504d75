/* lowering.h: turns a PTX kernel into ops.
 *
 * Calls are inlined or made through call_stack.h, registers become slots, symbols become addresses,
 * modifiers such as .ftz become separate ops. What cannot be executed becomes OP_UNKNOWN, which
 * reports the instruction when it is reached.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWER_LOWERING_H
#define GPUGRADE_DEVICE_EMULATED_LOWER_LOWERING_H

#include "device/emulated/lower/call_graph.h"
#include "device/emulated/machine.h"

enum {
    LOWERED_OPS_MAX = 1 << 20,         /* of a kernel, after inlining */
    LOWERED_CALL_DEPTH_MAX = 16,       /* a deeper call is not inlined */
    REGISTER_FILE_BYTES_MAX = 1 << 24, /* of a warp */
    LOCAL_BYTES_MAX = 1 << 19,         /* of a thread, as in CUDA */
    SHARED_BYTES_MAX = 1 << 20,        /* static, of a block */
};

/* What the kernels of a module have in common. */
struct lowering_module {
    const struct ptx_module *ptx;
    uint32_t index;            /* of the module in its device */
    const uint64_t *variables; /* [ptx->variable_count] device addresses of .global and .const */
    const struct call_graph *graph; /* call_graph.h */
    const struct warp_variant *variant;
    uint32_t *body_numbers; /* [ptx->function_count] zeros, for kernel_lower's own use */
};

/* Lowers an entry of a module. Everything lives in the arena.
 * Errors: ERROR_LIMIT for a kernel that is too large to run. */
enum error kernel_lower(struct arena *arena, const struct lowering_module *module,
                        const struct ptx_function *function, struct kernel_code **out_code,
                        struct diagnostic *diagnostic);

#endif
