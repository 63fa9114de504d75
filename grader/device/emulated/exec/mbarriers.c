/* mbarriers.c: see mbarriers.h. */
#include "device/emulated/exec/mbarriers.h"

#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/async_copies.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/thread_order.h"

#include <string.h>

#define COUNT_BITS 20
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define PHASE_SHIFT (2 * COUNT_BITS)

static uint64_t make(uint64_t phase, uint64_t expected, uint64_t pending)
{
    return phase << PHASE_SHIFT | (expected & COUNT_MASK) << COUNT_BITS | (pending & COUNT_MASK);
}

/* The object after `count` arrivals; those that drop out are no longer waited for. */
static uint64_t arrive(uint64_t object, uint64_t count, bool drops)
{
    uint64_t phase = object >> PHASE_SHIFT;
    uint64_t expected = object >> COUNT_BITS & COUNT_MASK;
    uint64_t pending = (object & COUNT_MASK) - count;
    expected -= drops ? count : 0;
    if ((pending & COUNT_MASK) == 0) {
        phase++;
        pending = expected;
    }
    return make(phase, expected, pending);
}

static uint64_t next_object(const struct op *op, uint64_t object, uint64_t operand)
{
    switch (op->kind) {
    case PTX_SUB_INIT:
        return make(0, operand, operand);
    case PTX_SUB_INVAL:
        return POISON_WORD;
    case PTX_SUB_ARRIVE:
        return arrive(object, operand, false);
    case PTX_SUB_ARRIVE_DROP:
        return arrive(object, operand, true);
    default:
        return object;
    }
}

/* What the lane gets: a state, or whether the phase has ended. */
static uint64_t result_of(const struct op *op, uint64_t object, uint64_t operand)
{
    switch (op->kind) {
    case PTX_SUB_TEST_WAIT:
        return object >> PHASE_SHIFT != operand >> PHASE_SHIFT;
    case PTX_SUB_PARITY:
        return (object >> PHASE_SHIFT & 1) != (operand & 1);
    default:
        return object;
    }
}

static void put_result(struct warp *warp, const struct op *op, unsigned lane, uint64_t value)
{
    uint8_t *d = warp->file + op->slot[0];
    if (op->kind == PTX_SUB_TEST_WAIT || op->kind == PTX_SUB_PARITY) {
        uint32_t *predicate = (uint32_t *)(void *)d;
        *predicate = (*predicate & ~(UINT32_C(1) << lane)) | (uint32_t)value << lane;
    } else {
        ((uint64_t *)(void *)d)[lane] = value;
    }
}

void mbarrier_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint8_t *where[LANES];
    const uint8_t *operands = warp->file + op->slot[1];
    bool tests = (op->order & ORDER_ACQUIRES) != 0;
    uint32_t cost = tests ? POLL_OPS : ATOMIC_OPS;
    access_resolve(warp, op, mask, FINDING_RECORD_ATOMIC, where);
    warp->has_polled = warp->has_polled || tests;
    warp->has_acted = warp->has_acted || !tests;
    warp->ticks = warp->ticks > cost ? warp->ticks - cost : 1;
    if (op->target == MBARRIER_TAKES_COPIES) {
        copies_bind(warp, mask, where);
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t operand = op->slot_bytes == 8 ? ((const uint64_t *)(const void *)operands)[lane]
                                               : ((const uint32_t *)(const void *)operands)[lane];
        uint64_t object = POISON_WORD;
        if (where[lane] != NULL) {
            memcpy(&object, where[lane], sizeof object);
            uint64_t next = next_object(op, object, operand);
            memcpy(where[lane], &next, sizeof next);
        }
        uint64_t result = result_of(op, object, operand);
        if (op->slot[0] != NO_SLOT) {
            put_result(warp, op, lane, result);
        }
        if (tests && result != 0) {
            copies_land(warp->block, where[lane]);
        }
    }
    race_order_access(warp, op->order, mask);
    thread_order_access(warp->block->launch->thread_order, warp, op->order, mask);
}

void mbarrier_arrivals(const uint8_t *where, uint64_t *out_missing, uint64_t *out_expected)
{
    uint64_t object;
    memcpy(&object, where, sizeof object);
    *out_missing = object & COUNT_MASK;
    *out_expected = object >> COUNT_BITS & COUNT_MASK;
}
