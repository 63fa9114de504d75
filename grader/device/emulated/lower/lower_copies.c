/* lower_copies.c: asynchronous copies and mbarrier objects. */
#include "device/emulated/exec/mbarriers.h"
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/exchange.h"

/* A pattern that no other op shares. */
static uint32_t own_pattern(struct lowering *state, const struct op *op)
{
    uint32_t pattern = lower_pattern(state, op);
    state->patterns[pattern].is_guarded = true;
    return pattern;
}

/* Fills in what a memory operand decides; its slots come before, because they may emit ops. */
static void set_place(struct op *op, const struct lowered_place *place)
{
    op->slot[SLOT_ADDRESS] = place->slot;
    op->space = place->space;
    op->address_is_wide = place->is_wide;
    op->offset = place->offset;
}

static void set_words(struct op *op, const uint32_t words[SLOT_ADDRESS], unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        op->slot[k] = words[k];
    }
    op->type = PTX_B32;
    op->bytes = 4;
    op->count = (uint8_t)count;
    op->slot_bytes = 4;
}

/* Operands: target, source, bytes, and how many of them the source has. */
static bool lower_copy(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    uint64_t bytes = operands[2].bits;
    struct lowered_place target;
    struct lowered_place source;
    uint32_t words[SLOT_ADDRESS] = {0};
    uint32_t size = lower_constant(state, 4, bytes);
    if ((bytes != 4 && bytes != 8 && bytes != 16) ||
        !lower_place(state, &operands[0], PTX_SPACE_SHARED, &target) ||
        !lower_place(state, &operands[1], PTX_SPACE_GLOBAL, &source) ||
        (state->instruction->operand_count > 3 && !lower_source(state, &operands[3], 4, &size))) {
        return false;
    }
    unsigned count = (unsigned)bytes / 4;
    for (unsigned k = 0; k < count; k++) {
        words[k] = lower_new_slot(state, 4);
    }
    /* the address as it is now: the register may hold another one when the copy completes */
    target.slot = lower_unary(state, target.is_wide ? OP_MOV_64 : OP_MOV_32, target.is_wide ? 8 : 4,
                              target.slot);
    struct op *op = lower_emit(state, OP_COPY_READ);
    set_words(op, words, count);
    set_place(op, &source);
    op->slot[5] = size;
    op->pattern = own_pattern(state, op);
    op = lower_emit(state, OP_COPY_WRITE);
    set_words(op, words, count);
    set_place(op, &target);
    op->pattern = own_pattern(state, op);
    state->code->has_copies = true;
    return true;
}

static void emit_wait(struct lowering *state, uint8_t kind, uint32_t recent)
{
    struct op *op = lower_emit(state, OP_COPY_WAIT);
    op->kind = kind;
    op->target = recent;
    state->code->has_copies = true;
}

static uint8_t order_of_mbarrier(uint8_t sub)
{
    switch (sub) {
    case PTX_SUB_TEST_WAIT:
    case PTX_SUB_PARITY:
        return ORDER_LOADS | ORDER_ACQUIRES;
    case PTX_SUB_ARRIVE:
    case PTX_SUB_ARRIVE_DROP:
        return ORDER_STORES | ORDER_RELEASES;
    default:
        return ORDER_STORES;
    }
}

static void emit_mbarrier(struct lowering *state, uint8_t kind, const uint32_t slots[2],
                          unsigned operand_bytes, const struct lowered_place *place)
{
    struct op *op = lower_emit(state, OP_MBARRIER);
    op->slot[0] = slots[0];
    op->slot[1] = slots[1];
    set_place(op, place);
    op->kind = kind;
    op->type = PTX_B64;
    op->bytes = 8;
    op->count = 1;
    op->slot_bytes = (uint8_t)operand_bytes;
    op->order = order_of_mbarrier(kind);
    op->pattern = own_pattern(state, op);
}

/* cp.async.mbarrier.arrive: the arrival on completion. Without .noinc the phase waits for one more
 * arrival, which is this one: nothing changes but what it orders. */
static bool lower_copy_arrival(struct lowering *state)
{
    bool counts = (state->instruction->flags & PTX_FLAG_NOINC) != 0;
    const uint32_t slots[2] = {NO_SLOT, lower_constant(state, 4, counts ? 1 : 0)};
    struct lowered_place place;
    uint8_t space = state->instruction->space;
    if (!lower_place(state, &state->instruction->operands[0], space, &place)) {
        return false;
    }
    emit_mbarrier(state, PTX_SUB_ARRIVE, slots, 4, &place);
    state->ops[state->op_count - 1].target = MBARRIER_TAKES_COPIES;
    state->code->has_copies = true;
    return true;
}

bool lower_copies(struct lowering *state)
{
    switch (state->instruction->sub) {
    case PTX_SUB_NONE:
        return lower_copy(state);
    case PTX_SUB_COMMIT_GROUP:
        lower_emit(state, OP_COPY_COMMIT);
        state->code->has_copies = true;
        return true;
    case PTX_SUB_ARRIVE:
        return lower_copy_arrival(state);
    default:
        emit_wait(state, state->instruction->sub, (uint32_t)state->instruction->operands[0].bits);
        return true;
    }
}

/* pending_count of a state: its lowest bits. */
static bool lower_pending_count(struct lowering *state)
{
    uint32_t slot;
    uint32_t result;
    if (!lower_source(state, &state->instruction->operands[1], 8, &slot) ||
        !lower_destination(state, &state->instruction->operands[0], 4, &result)) {
        return false;
    }
    uint32_t low = lower_unary(state, OP_CVT_U32_U64, 4, slot);
    struct op *op = lower_emit(state, OP_AND_32);
    op->slot[0] = result;
    op->slot[1] = low;
    op->slot[2] = lower_constant(state, 4, 0xfffff);
    return true;
}

bool lower_mbarrier(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *operands = instruction->operands;
    uint8_t sub = instruction->sub;
    bool has_result = sub != PTX_SUB_INIT && sub != PTX_SUB_INVAL;
    bool is_test = sub == PTX_SUB_TEST_WAIT || sub == PTX_SUB_PARITY;
    unsigned address = has_result ? 1 : 0;
    unsigned bytes = sub == PTX_SUB_TEST_WAIT ? 8 : 4;
    uint32_t slots[2] = {NO_SLOT, lower_constant(state, 4, 1)};
    struct lowered_place place;
    if (sub == PTX_SUB_PENDING_COUNT) {
        return lower_pending_count(state);
    }
    if (!lower_place(state, &operands[address], instruction->space, &place) ||
        (instruction->operand_count > address + 1 &&
         !lower_source(state, &operands[address + 1], bytes, &slots[1])) ||
        (has_result && operands[0].kind != PTX_OPERAND_SINK &&
         !lower_destination(state, &operands[0], is_test ? 0 : 8, &slots[0]))) {
        return false;
    }
    emit_mbarrier(state, sub, slots, bytes, &place);
    return true;
}
