/* lower_memory.c: loads, stores and atomics. */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/atomics.h"
#include "device/emulated/exec/exchange.h"

bool lower_place(struct lowering *state, const struct ptx_operand *operand, uint8_t space,
                 struct lowered_place *out_place)
{
    *out_place = (struct lowered_place){.space = space, .offset = (int32_t)operand->offset};
    if (operand->kind != PTX_OPERAND_MEMORY || operand->offset < INT32_MIN ||
        operand->offset > INT32_MAX) {
        return false;
    }
    if (operand->reg >= 0) {
        out_place->is_wide = lower_register_bytes(state, operand->reg) == 8;
        const struct ptx_operand base = {.kind = PTX_OPERAND_REGISTER, .reg = operand->reg};
        /* parameters of device functions lie in local memory */
        if (space == PTX_SPACE_PARAM && !state->frame->is_entry) {
            out_place->space = PTX_SPACE_LOCAL;
        }
        return lower_source(state, &base, out_place->is_wide ? 8 : 4, &out_place->slot);
    }
    out_place->is_wide = true;
    struct call_place own;
    if (operand->symbol >= 0 && space != PTX_SPACE_GENERIC &&
        lower_frame_place(state, operand, &own)) {
        out_place->space = PTX_SPACE_LOCAL;
        out_place->slot = lower_frame_base(state, &own.offset);
        own.offset += (uint64_t)operand->offset;
        out_place->offset = (int32_t)own.offset;
        return (uint64_t)(int64_t)out_place->offset == own.offset;
    }
    if (operand->symbol >= 0) {
        return lower_symbol(state, operand, space == PTX_SPACE_GENERIC, &out_place->space,
                            &out_place->slot);
    }
    out_place->slot = lower_constant(state, 8, (uint64_t)operand->offset);
    out_place->offset = 0;
    return true;
}

/* Accesses that other blocks may wait for: the blocks must run in order then. */
static bool is_ordered(const struct ptx_instruction *instruction, uint8_t space)
{
    const uint32_t flags =
        PTX_FLAG_VOLATILE | PTX_FLAG_RELAXED | PTX_FLAG_ACQUIRE | PTX_FLAG_RELEASE;
    bool is_atomic = instruction->opcode == PTX_OP_ATOM || instruction->opcode == PTX_OP_RED;
    bool reaches_global = space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC;
    return reaches_global && (is_atomic || (instruction->flags & flags) != 0);
}

static void mark_order(struct lowering *state, struct op *op)
{
    op->is_ordered = is_ordered(state->instruction, op->space);
    op->is_release = (state->instruction->flags & PTX_FLAG_RELEASE) != 0;
    state->code->runs_in_order |= op->is_ordered;
}

/* The order (race_watch.h) of an access that is atomic, volatile or ordered; else 0. */
static uint8_t order_of(const struct ptx_instruction *instruction, uint8_t space)
{
    const uint32_t flags =
        PTX_FLAG_VOLATILE | PTX_FLAG_RELAXED | PTX_FLAG_ACQUIRE | PTX_FLAG_RELEASE;
    bool is_atomic = instruction->opcode == PTX_OP_ATOM || instruction->opcode == PTX_OP_RED;
    bool is_seen =
        space == PTX_SPACE_SHARED || space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC;
    if (!is_seen || (!is_atomic && (instruction->flags & flags) == 0)) {
        return 0;
    }
    bool is_relaxed = !is_atomic && (instruction->flags & PTX_FLAG_VOLATILE) == 0;
    bool reaches_device =
        space != PTX_SPACE_SHARED && instruction->memory_scope != PTX_MEMORY_SCOPE_CTA;
    bool loads = instruction->opcode != PTX_OP_ST && instruction->opcode != PTX_OP_RED;
    bool stores = is_atomic || instruction->opcode == PTX_OP_ST;
    return (uint8_t)((stores ? ORDER_STORES : 0) | (loads ? ORDER_LOADS : 0) |
                     ((instruction->flags & PTX_FLAG_RELEASE) != 0 ? ORDER_RELEASES : 0) |
                     ((instruction->flags & PTX_FLAG_ACQUIRE) != 0 ? ORDER_ACQUIRES : 0) |
                     (is_relaxed ? ORDER_RELAXED : 0) | (reaches_device ? ORDER_DEVICE : 0));
}

bool lower_data(struct lowering *state, const struct ptx_operand *operand, bool is_source,
                uint32_t slots[OP_SLOTS], unsigned *out_count, unsigned *out_slot_bytes)
{
    const struct ptx_operand *elements = operand;
    unsigned count = 1;
    if (operand->kind == PTX_OPERAND_VECTOR) {
        elements = &state->frame->function->elements[operand->element_first];
        count = operand->element_count;
    }
    size_t type_bytes = ptx_type_bytes(state->instruction->type);
    unsigned widest = 0;
    for (unsigned i = 0; i < count && i < SLOT_ADDRESS; i++) {
        bool is_register = elements[i].kind == PTX_OPERAND_REGISTER;
        unsigned bytes = is_register ? lower_register_bytes(state, elements[i].reg)
                                     : (unsigned)(type_bytes <= 2 ? 2 : type_bytes);
        bool is_first = widest == 0;
        if (bytes == 0 || (!is_first && bytes != widest)) {
            return false;
        }
        widest = bytes;
        bool is_lowered =
            is_source ? lower_source(state, &elements[i], bytes <= 4 ? 4 : 8, &slots[i])
                      : lower_destination(state, &elements[i], bytes <= 4 ? 4 : 8, &slots[i]);
        if (!is_lowered) {
            return false;
        }
    }
    *out_count = count;
    *out_slot_bytes = widest;
    return count <= SLOT_ADDRESS && widest <= 8;
}

enum op_code lower_access_code(bool is_load, unsigned bytes, unsigned count, unsigned slot_bytes)
{
    if (count == 1 && bytes == 4 && slot_bytes == 4) {
        return is_load ? OP_LOAD_32 : OP_STORE_32;
    }
    if (count == 1 && bytes == 8 && slot_bytes == 8) {
        return is_load ? OP_LOAD_64 : OP_STORE_64;
    }
    return is_load ? OP_LOAD_ANY : OP_STORE_ANY;
}

/* True if the operand is a parameter of the kernel at a place that lies within the block of
 * parameters and is aligned; *out_offset is that place. */
static bool is_fixed_parameter(const struct lowering *state, const struct ptx_operand *operand,
                               unsigned bytes, int32_t *out_offset)
{
    const struct ptx_function *function = state->frame->function;
    if (!state->frame->is_entry || operand->scope != PTX_SCOPE_PARAMETER || operand->reg >= 0 ||
        operand->symbol < 0 || operand->offset < 0 || operand->offset > INT32_MAX / 2) {
        return false;
    }
    uint64_t offset = function->parameters[operand->symbol].offset + (uint64_t)operand->offset;
    *out_offset = (int32_t)offset;
    return offset + bytes <= function->parameter_bytes && offset % bytes == 0;
}

/* Accesses through the same address register share a pattern, if they are equally wide and always
 * executed. */
uint32_t lower_pattern(struct lowering *state, const struct op *op)
{
    uint32_t bytes = (uint32_t)op->bytes * op->count;
    bool is_guarded = (op->flags & OP_GUARDED) != 0;
    for (size_t i = 0; i < state->pattern_count && !is_guarded; i++) {
        const struct pattern_use *use = &state->patterns[i];
        if (use->slot == op->slot[SLOT_ADDRESS] && use->bytes == bytes && !use->is_guarded) {
            return (uint32_t)i;
        }
    }
    arena_grow(state->arena, &state->patterns, &state->pattern_capacity, state->pattern_count + 1,
               sizeof *state->patterns);
    state->patterns[state->pattern_count] = (struct pattern_use){
        .slot = op->slot[SLOT_ADDRESS], .bytes = bytes, .is_guarded = is_guarded};
    return (uint32_t)state->pattern_count++;
}

static bool lower_access(struct lowering *state, bool is_load)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *memory = &instruction->operands[is_load ? 1 : 0];
    const struct ptx_operand *data = &instruction->operands[is_load ? 0 : 1];
    size_t bytes = ptx_type_bytes(instruction->type);
    uint32_t slots[OP_SLOTS] = {0};
    unsigned count = 0;
    unsigned slot_bytes = 0;
    if (bytes == 0 || bytes > 8 || instruction->operand_count != 2 ||
        !lower_data(state, data, !is_load, slots, &count, &slot_bytes)) {
        return false;
    }
    struct lowered_place place;
    int32_t parameter_offset = 0;
    bool is_parameter =
        is_load && is_fixed_parameter(state, memory, (unsigned)bytes * count, &parameter_offset);
    if (!is_parameter && !lower_place(state, memory, instruction->space, &place)) {
        return false;
    }
    struct op *op = lower_emit(
        state, is_parameter ? OP_LOAD_PARAM
                            : lower_access_code(is_load, (unsigned)bytes, count, slot_bytes));
    for (unsigned i = 0; i < count; i++) {
        op->slot[i] = slots[i];
    }
    op->type = instruction->type;
    op->bytes = (uint8_t)bytes;
    op->count = (uint8_t)count;
    op->slot_bytes = (uint8_t)slot_bytes;
    if (is_parameter) {
        op->offset = parameter_offset;
        return true;
    }
    op->slot[SLOT_ADDRESS] = place.slot;
    op->space = place.space;
    op->address_is_wide = place.is_wide;
    op->offset = place.offset;
    op->pattern = lower_pattern(state, op);
    mark_order(state, op);
    uint8_t order = order_of(instruction, place.space);
    if (order != 0) {
        lower_emit(state, OP_ORDER)->order = order;
    }
    return true;
}

static bool lower_atomic(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    bool has_result = instruction->opcode == PTX_OP_ATOM;
    unsigned first = has_result ? 1 : 0;
    size_t bytes = ptx_type_bytes(instruction->type);
    unsigned width = bytes <= 4 ? 4 : 8;
    uint32_t slots[3] = {NO_SLOT, 0, 0};
    struct lowered_place place;
    unsigned operands = instruction->operand_count - first - 1u;
    bool is_cas = instruction->sub == PTX_SUB_CAS;
    if (!atomic_is_known(instruction->sub, instruction->type) || operands != (is_cas ? 2u : 1u) ||
        !lower_place(state, &instruction->operands[first], instruction->space, &place)) {
        return false;
    }
    for (unsigned i = 1; i <= operands; i++) {
        if (!lower_source(state, &instruction->operands[first + i], width, &slots[i])) {
            return false;
        }
    }
    if (has_result && instruction->operands[0].kind != PTX_OPERAND_SINK &&
        !lower_destination(state, &instruction->operands[0], width, &slots[0])) {
        return false;
    }
    struct op *op = lower_emit(state, OP_ATOMIC);
    op->slot[0] = slots[0];
    op->slot[1] = slots[1];
    op->slot[2] = slots[2];
    op->slot[SLOT_ADDRESS] = place.slot;
    op->type = instruction->type;
    op->kind = instruction->sub;
    op->space = place.space;
    op->bytes = (uint8_t)bytes;
    op->count = 1;
    op->slot_bytes = (uint8_t)width;
    op->address_is_wide = place.is_wide;
    op->offset = place.offset;
    op->order = order_of(instruction, place.space);
    mark_order(state, op);
    return true;
}

bool lower_memory(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        return lower_access(state, true);
    case PTX_OP_ST:
        return lower_access(state, false);
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return lower_atomic(state);
    default: /* prefetches */
        lower_emit(state, OP_NOTHING);
        return true;
    }
}
