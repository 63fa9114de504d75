/* call_stack.h: functions that are really called: recursion, function pointers, deep chains.
 *
 * Small functions that cannot call themselves are inlined (lower_calls.c). All others have their
 * own body after the ops of the kernel. Each lane has a stack of activations, because lanes diverge
 * inside of calls and through pointers, and are at different depths in a recursion:
 *
 *   local memory of a lane   | of the kernel | frame | frame | ...      grows with each call
 *                                            ^ stack_start     ^ top
 *   saved of a lane          | registers, record | registers, record | ...
 *
 * A frame holds the .local and .param variables of one activation; the slot `base_slot` of its body
 * holds where it begins. What lies above `top` is out of bounds, so a pointer to a variable of a
 * function that has returned is found. A call copies the arguments from frame to frame, a return
 * the results. Registers of a body that may be active twice are saved by the call that enters it,
 * for the lanes that enter, and restored by the return.
 *
 * Lanes return to where they were called from; the path that is deepest in calls runs first
 * (paths.c), so lanes that called and lanes that did not meet again after the call.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_CALL_STACK_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_CALL_STACK_H

#include "device/emulated/machine.h"

/* Generic addresses of functions: this, the module in steps of 2^32, the function in steps of 16.
 */
#define CODE_WINDOW UINT64_C(0x230000000000)
enum { CODE_STEP = 16 };

static inline uint64_t code_address(uint32_t module, uint64_t function)
{
    return CODE_WINDOW + ((uint64_t)module << 32) + function * CODE_STEP;
}

enum { STACK_BYTES_DEFAULT = 1024 };

/* A value that is passed: where it lies, from the beginning of a frame. */
struct call_place {
    uint64_t offset, bytes;
};

struct call_places {
    struct call_place *items; /* [count] */
    size_t count;
};

/* A function with a body of its own. */
struct call_body {
    const struct ptx_function *function;
    uint32_t first_op;
    uint32_t base_slot;      /* 8 bytes a lane */
    uint64_t frame_bytes;    /* all that the activation needs of local memory */
    uint64_t variable_bytes; /* of it, .local variables: what a device's stack would hold */
    struct call_places parameters, returns;
    const struct slot_saved {
        uint32_t slot;
        uint32_t bytes; /* 0: a predicate, 4 or 8 */
    } * saved;          /* [saved_count] registers; none if it is never active twice */
    size_t saved_count;
    size_t saved_bytes; /* of a lane */
};

enum { CALL_INDIRECT = -1 };

/* A call instruction. */
struct call_site {
    struct call_places arguments, returns;      /* in the caller's frame */
    uint32_t base_slot;                         /* of the caller; NO_BASE: the kernel */
    uint32_t address_slot;                      /* of an indirect call: 8 bytes a lane */
    uint32_t return_op;                         /* after the call */
    int32_t body;                               /* index in code->bodies, CALL_INDIRECT */
    const struct ptx_function *function;        /* of a direct call */
    const struct libdevice_function *libdevice; /* of OP_LIBDEVICE (libdevice.h) */
};

enum { NO_BASE = 0 }; /* slot 0 is never a body's */

/* What a lane has on its stack. */
struct lane_stack {
    uint32_t depth;
    uint32_t top;   /* end of the lane's local memory */
    uint64_t used;  /* of what cudaLimitStackSize allows */
    uint8_t *bytes; /* [capacity] from stack_start */
    size_t capacity;
    uint8_t *saved; /* [saved_bytes] */
    size_t saved_bytes, saved_capacity;
};

/* Where the frames begin in local memory. */
static inline uint64_t stack_start(const struct kernel_code *code)
{
    return (code->local_bytes + 15) / 16 * 16;
}

/* The end of a lane's local memory at this moment. */
uint64_t local_end(const struct warp *warp, unsigned lane);

/* The host's view of [offset, offset + bytes) of a lane's local memory, NULL if it does not lie
 * within. Valid until the lane calls or returns. */
uint8_t *local_host(const struct warp *warp, unsigned lane, uint64_t offset, uint64_t bytes);

/* The bits of an argument of at most 8 bytes that a call site passes. */
uint64_t call_argument(const struct warp *warp, const struct call_site *site, size_t index,
                       unsigned lane);

/* Stores the result of a call site, of at most 8 bytes; nothing if it has none. */
void call_store_result(const struct warp *warp, const struct call_site *site, unsigned lane,
                       uint64_t value);

/* Makes the stacks of a block's warps, empties them, frees them. */
void stacks_new(struct block *block);
void stacks_start(struct block *block);
void stacks_free(struct block *block);

/* Handlers. */
void call_run(struct warp *warp, const struct op *op, uint32_t mask);
void return_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
