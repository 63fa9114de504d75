/* warp_loop.c: fetches the ops of a warp and executes them until the warp is suspended. */
#include "device/emulated/exec/paths.h"
#include "device/emulated/memory/op_tap.h"
#include "device/emulated/variant.h"

/* Ops that are run in a chain at most: a compiler that does not make jumps of them calls each one
 * from the one before it. */
enum { CHAIN_OPS_MAX = 64 };

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

static inline void run_alone(struct warp *warp, const struct op *op)
{
    uint32_t mask = warp->live;
    if ((op->flags & OP_GUARDED) != 0) {
        uint32_t guard = *(const uint32_t *)(const void *)(warp->file + op->guard);
        mask &= (op->flags & OP_GUARD_NEGATED) != 0 ? ~guard : guard;
        warp_discount(warp, op, mask);
    }
    if (mask != 0) {
        op->run(warp, op, mask);
    }
}

/* The last one of a chain that another one follows. */
static const struct op *chain_last(struct warp *warp, const struct op *op)
{
    run_alone(warp, op);
    return op + 1;
}

/* Any op; what it finds may stop the warp. */
static const struct op *chain_any(struct warp *warp, const struct op *op)
{
    run_alone(warp, op);
    return warp->stop != NULL ? op + 1 : chain_after(warp, op);
}

static op_chain *own_chain(const struct op *op)
{
    if (op->flags != 0 || op->run != VARIANT(warp_handler)(op->code)) {
        return NULL;
    }
    op_chain *chain = VARIANT(vector_chains)[op->code];
    return chain != NULL ? chain : VARIANT(memory_chain)(op);
}

void VARIANT(warp_link)(struct op *ops, size_t count)
{
    unsigned length = 0;
    for (size_t i = 0; i < count; i++) {
        struct op *op = &ops[i];
        op_chain *own = own_chain(op);
        length++;
        if ((op->flags & OP_CONTROL) != 0) {
            op->chain = op_chain_ends;
            length = 0;
        } else if (length == CHAIN_OPS_MAX) {
            op->chain = chain_last;
            length = 0;
        } else {
            op->chain = own != NULL ? own : chain_any;
        }
    }
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
        if (mask == warp->live && warp->stop == NULL && op->chain != op_chain_ends) {
            op = op->chain(warp, op);
            continue;
        }
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
