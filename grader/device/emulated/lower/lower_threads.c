/* lower_threads.c: barriers, and exchanges between the lanes of a warp. */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/exchange.h"

/* A destination that may be left out. */
static bool optional_destination(struct lowering *state, const struct ptx_operand *operand,
                                 unsigned bytes, uint32_t *out_slot)
{
    if (operand->kind == PTX_OPERAND_SINK) {
        *out_slot = NO_SLOT;
        return true;
    }
    return lower_destination(state, operand, bytes, out_slot);
}

static struct op *emit_control(struct lowering *state, enum op_code code, const uint32_t *slots,
                               unsigned count)
{
    struct op *op = lower_emit(state, code);
    op->flags |= OP_CONTROL;
    for (unsigned i = 0; i < count; i++) {
        op->slot[i] = slots[i];
    }
    op->kind = state->instruction->sub;
    op->type = state->instruction->type;
    return op;
}

/* Operands: [result,] number [, count] [, predicate]. */
static bool lower_barrier(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t slots[4] = {0};
    unsigned next = 0;
    unsigned left = instruction->operand_count;
    uint8_t sub = instruction->sub;
    if (sub == PTX_SUB_WARP_SYNC) {
        if (!lower_source(state, &instruction->operands[0], 4, &slots[1])) {
            return false;
        }
        emit_control(state, OP_WARP_SYNC, slots, 2);
        return true;
    }
    bool reduces = sub == PTX_SUB_POPC || sub == PTX_SUB_AND || sub == PTX_SUB_OR;
    if (!reduces && sub != PTX_SUB_SYNC && sub != PTX_SUB_ARRIVE) {
        return false;
    }
    if (reduces) {
        unsigned bytes = sub == PTX_SUB_POPC ? 4 : 0;
        if (left < 3 ||
            !lower_destination(state, &instruction->operands[next++], bytes, &slots[0]) ||
            !lower_source(state, &instruction->operands[left - 1], 0, &slots[3])) {
            return false;
        }
        left--;
    }
    if (!lower_source(state, &instruction->operands[next++], 4, &slots[1])) {
        return false;
    }
    slots[2] = lower_constant(state, 4, 0);
    bool has_count = next < left && instruction->operands[next].kind != PTX_OPERAND_NONE &&
                     instruction->operands[next].kind != PTX_OPERAND_SINK;
    if (has_count && !lower_source(state, &instruction->operands[next], 4, &slots[2])) {
        return false;
    }
    emit_control(state, OP_BARRIER, slots, 4);
    return true;
}

static bool lower_shuffle(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    uint32_t slots[6];
    if (state->instruction->operand_count != 6 ||
        !optional_destination(state, &operands[0], 4, &slots[0]) ||
        !optional_destination(state, &operands[1], 0, &slots[1])) {
        return false;
    }
    for (unsigned i = 2; i < 6; i++) {
        if (!lower_source(state, &operands[i], 4, &slots[i])) {
            return false;
        }
    }
    emit_control(state, OP_SHUFFLE, slots, 6);
    return true;
}

static bool lower_vote(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    unsigned bytes = state->instruction->sub == PTX_SUB_BALLOT ? 4 : 0;
    uint32_t slots[3];
    if (state->instruction->operand_count != 3 ||
        !lower_destination(state, &operands[0], bytes, &slots[0]) ||
        !lower_source(state, &operands[1], 0, &slots[1]) ||
        !lower_source(state, &operands[2], 4, &slots[2])) {
        return false;
    }
    emit_control(state, OP_VOTE, slots, 3);
    return true;
}

static bool lower_match(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    unsigned bytes = (unsigned)ptx_type_bytes(state->instruction->type);
    uint32_t slots[4];
    if (state->instruction->operand_count != 4 ||
        !optional_destination(state, &operands[0], 4, &slots[0]) ||
        !optional_destination(state, &operands[1], 0, &slots[1]) ||
        !lower_source(state, &operands[2], bytes, &slots[2]) ||
        !lower_source(state, &operands[3], 4, &slots[3])) {
        return false;
    }
    emit_control(state, OP_MATCH, slots, 4)->bytes = (uint8_t)bytes;
    return true;
}

static bool lower_redux(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    uint32_t slots[3];
    if (state->instruction->operand_count != 3 ||
        !lower_destination(state, &operands[0], 4, &slots[0]) ||
        !lower_source(state, &operands[1], 4, &slots[1]) ||
        !lower_source(state, &operands[2], 4, &slots[2])) {
        return false;
    }
    emit_control(state, OP_REDUCE, slots, 3);
    return true;
}

bool lower_threads(struct lowering *state)
{
    uint32_t slot = 0;
    switch (state->instruction->opcode) {
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        return lower_barrier(state);
    case PTX_OP_SHFL:
        return lower_shuffle(state);
    case PTX_OP_VOTE:
        return lower_vote(state);
    case PTX_OP_MATCH:
        return lower_match(state);
    case PTX_OP_REDUX:
        return lower_redux(state);
    case PTX_OP_ACTIVEMASK:
        if (!lower_destination(state, &state->instruction->operands[0], 4, &slot)) {
            return false;
        }
        emit_control(state, OP_ACTIVE_MASK, &slot, 1);
        return true;
    case PTX_OP_NANOSLEEP:
        emit_control(state, OP_YIELD, &slot, 1);
        return true;
    default: /* membar and fence */
        lower_emit(state, OP_FENCE)->order =
            state->instruction->memory_scope == PTX_MEMORY_SCOPE_CTA ? 0 : ORDER_DEVICE;
        return true;
    }
}
