/* op_tap.h: a copy of a kernel's ops in which some run another handler, which looks at what a warp
 * is about to do and then has it done. Launches without a tap are not slowed down.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_OP_TAP_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_OP_TAP_H

#include "base/text.h"
#include "device/emulated/machine.h"

/* The chain of an op that is run alone, by its handler. */
const struct op *op_chain_ends(struct warp *warp, const struct op *op);

/* Makes it that of all ops. */
void ops_unlink(struct op *ops, size_t count);

struct op_tap {
    const struct kernel_code *code; /* as it was lowered */
    struct kernel_code tapped;      /* with `ops` */
    struct op *ops;                 /* [code->op_count] of it, owned */
    struct text places;             /* packed, see wire/trace_record.h */
    uint32_t *place_numbers;        /* [code->op_count] 1 plus the op's number in `places`; 0: it
                                       has none; owned */
    uint32_t place_count;
};

/* Aborts without memory. */
void op_tap_init(struct op_tap *tap, const struct kernel_code *code);
void op_tap_release(struct op_tap *tap);

/* The number of the place of one of its ops, which the op gets when it is first asked for. */
uint32_t op_tap_place(struct op_tap *tap, const struct op *op);

/* Executes an op as it would be without a tap. */
void op_tap_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
