/* op_model.h: what ops do to registers and where they lead, for those who follow a warp op by op
 * (endless.h, unwritten.h).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_OP_MODEL_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_OP_MODEL_H

#include "device/emulated/machine.h"

/* What an op does to the registers of its lane. */
enum op_model {
    MODEL_OPAQUE,  /* anything: whoever executes it cannot be followed any further */
    MODEL_NOTHING, /* it writes no register */
    MODEL_GOES,    /* ... and decides where the lane goes: by its guard and slot 1 */
    MODEL_SETS,    /* slot 0, of slots 1 to 5, each of them the lane's own */
    MODEL_DECIDES, /* the same, slot 0 is a predicate */
    MODEL_FETCHES, /* slots 0 to 3, of what others may change */
};

enum op_model op_model_of(const struct op *op);

/* The ops that may follow an op, at most `room` of them; more are left out. */
size_t op_list_next(const struct kernel_code *code, uint32_t at, size_t room, uint32_t *out);

/* True for ops that load from, or store to, memory. */
static inline bool op_is_load(const struct op *op)
{
    return op->code == OP_LOAD_32 || op->code == OP_LOAD_64 || op->code == OP_LOAD_ANY;
}

static inline bool op_is_store(const struct op *op)
{
    return op->code == OP_STORE_32 || op->code == OP_STORE_64 || op->code == OP_STORE_ANY;
}

#endif
