/* warp_loop.c: fetches the ops of a warp and executes them until the warp is suspended. */
#include "device/emulated/exec/paths.h"
#include "device/emulated/variant.h"

op_handler *VARIANT(warp_handler)(uint16_t code)
{
    if (VARIANT(vector_handlers)[code] != NULL) {
        return VARIANT(vector_handlers)[code];
    }
    if (VARIANT(memory_handlers)[code] != NULL) {
        return VARIANT(memory_handlers)[code];
    }
    if (directed_handlers[code] != NULL) {
        return directed_handlers[code];
    }
    return scalar_handlers[code] != NULL ? scalar_handlers[code] : control_handlers[code];
}

void VARIANT(warp_run)(struct warp *warp)
{
    const struct op *op = warp->pc;
    for (;;) {
        if (op == warp->stop) {
            warp->pc = op;
            if (warp->trail != NULL) {
                return; /* it is followed op by op from here on */
            }
            warp_count_until(warp, op);
            warp_schedule(warp);
            op = warp->pc;
        }
        uint32_t mask = warp->active;
        if (op->flags != 0) {
            if ((op->flags & OP_GUARDED) != 0) {
                uint32_t guard = *(const uint32_t *)(const void *)(warp->file + op->guard);
                mask &= (op->flags & OP_GUARD_NEGATED) != 0 ? ~guard : guard;
                warp_discount(warp, op, mask);
            }
            if ((op->flags & OP_CONTROL) != 0) {
                warp->pc = op;
                op->run(warp, op, mask);
                if (warp->suspended) {
                    return;
                }
                op = warp->pc;
                continue;
            }
            if (mask == 0) {
                op++;
                continue;
            }
        }
        op->run(warp, op, mask);
        op++;
    }
}
