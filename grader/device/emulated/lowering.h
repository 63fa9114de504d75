/* lowering.h: turns a PTX kernel into ops.
 *
 * Calls are inlined, registers become slots, symbols become addresses, modifiers such as .ftz
 * become ops of their own. What cannot be executed becomes OP_UNKNOWN, which reports the
 * instruction when it is reached.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWERING_H
#define GPUGRADE_DEVICE_EMULATED_LOWERING_H

#include "device/emulated/machine.h"

enum {
    LOWERED_OPS_MAX = 1 << 20,         /* of a kernel, after inlining */
    LOWERED_CALL_DEPTH_MAX = 32,       /* a deeper call is unknown; so is every recursion */
    REGISTER_FILE_BYTES_MAX = 1 << 24, /* of a warp */
    LOCAL_BYTES_MAX = 1 << 19,         /* of a thread, as in CUDA */
    SHARED_BYTES_MAX = 1 << 20,        /* static, of a block */
};

/* Lowers an entry of a module. `variables` [module->variable_count] holds the device addresses of
 * module variables in global and constant space. Everything lives in the arena.
 * Errors: ERROR_LIMIT for a kernel that is too large to run. */
enum error kernel_lower(struct arena *arena, const struct ptx_module *module,
                        const struct ptx_function *function, const uint64_t *variables,
                        const struct warp_variant *variant, struct kernel_code **out_code,
                        struct diagnostic *diagnostic);

#endif
