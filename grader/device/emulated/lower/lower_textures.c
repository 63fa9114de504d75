/* lower_textures.c: textures and surfaces. Their many operands are copied into slots that all such
 * instructions of a kernel share (texture_units.h). */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/memory/texture_units.h"

/* The shared slots: one after the other. */
static uint32_t argument_slots(struct lowering *state)
{
    for (unsigned i = 0; state->texture_slots == 0 && i < TEXTURE_ARGUMENT_COUNT; i++) {
        uint32_t slot = lower_new_slot(state, 4);
        state->texture_slots = i + 1 == TEXTURE_ARGUMENT_COUNT ? slot - i * LANES * 4 : 0;
    }
    return state->texture_slots;
}

/* Copies an operand, or the elements of a list, into the slots from a number on. */
static bool copy_arguments(struct lowering *state, const struct ptx_operand *operand,
                           unsigned first, unsigned count)
{
    const struct ptx_operand *elements = operand;
    unsigned there = 1;

    if (operand->kind == PTX_OPERAND_VECTOR) {
        elements = &state->frame->function->elements[operand->element_first];
        there = operand->element_count;
    }
    for (unsigned i = 0; i < count && i < there; i++) {
        uint32_t source;
        if (!lower_source(state, &elements[i], 4, &source)) {
            return false;
        }
        struct op *op = lower_emit(state, OP_MOV_32);
        op->slot[0] = argument_slots(state) + (first + i) * LANES * 4;
        op->slot[1] = source;
    }
    return there >= count;
}

/* The coordinates, which come after the object; the layer stands by itself. */
static bool copy_coordinates(struct lowering *state, const struct ptx_operand *operand)
{
    static const uint8_t counts[] = {
        [PTX_GEOMETRY_1D] = 1,    [PTX_GEOMETRY_2D] = 2,  [PTX_GEOMETRY_3D] = 3,
        [PTX_GEOMETRY_A1D] = 1,   [PTX_GEOMETRY_A2D] = 2, [PTX_GEOMETRY_CUBE] = 3,
        [PTX_GEOMETRY_ACUBE] = 3,
    };
    const uint8_t geometry = state->instruction->geometry;
    const bool has_layer = geometry == PTX_GEOMETRY_A1D || geometry == PTX_GEOMETRY_A2D ||
                           geometry == PTX_GEOMETRY_ACUBE;
    const struct ptx_operand zero = {.kind = PTX_OPERAND_IMMEDIATE, .reg = -1, .symbol = -1};
    struct ptx_operand rest = *operand;

    for (unsigned i = has_layer ? 0 : counts[geometry]; i < 3; i++) {
        if ((i >= counts[geometry]) && !copy_arguments(state, &zero, TEXTURE_AT + i, 1)) {
            return false;
        }
    }
    if (operand->element_count < counts[geometry] + (has_layer ? 1u : 0u)) {
        return false;
    }
    if (has_layer) {
        rest.element_first++;
        rest.element_count--;
    }
    return copy_arguments(state, has_layer ? operand : &zero, TEXTURE_LAYER, 1) &&
           copy_arguments(state, &rest, TEXTURE_AT, counts[geometry]);
}

/* The level, or the gradients, that a tex names. */
static bool copy_level(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    const unsigned dimensions = state->instruction->geometry == PTX_GEOMETRY_1D ||
                                        state->instruction->geometry == PTX_GEOMETRY_A1D
                                    ? 1
                                : state->instruction->geometry == PTX_GEOMETRY_2D ||
                                        state->instruction->geometry == PTX_GEOMETRY_A2D
                                    ? 2
                                    : 3;
    const struct ptx_operand zero = {.kind = PTX_OPERAND_IMMEDIATE, .reg = -1, .symbol = -1};

    if (state->instruction->sub == PTX_SUB_LEVEL) {
        return copy_arguments(state, &operands[4], TEXTURE_LEVEL, 1);
    }
    for (unsigned i = 0; state->instruction->sub == PTX_SUB_GRAD && i < 2; i++) {
        bool is_copied = copy_arguments(state, &operands[4 + i], TEXTURE_LEVEL + 3 * i, dimensions);
        for (unsigned k = dimensions; k < 3; k++) {
            is_copied = is_copied && copy_arguments(state, &zero, TEXTURE_LEVEL + 3 * i + k, 1);
        }
        if (!is_copied) {
            return false;
        }
    }
    return true;
}

/* Emits the op that reads or writes; `data` is what it sets or stores. */
static bool emit_access(struct lowering *state, enum op_code code, const struct ptx_operand *data,
                        const struct ptx_operand *object)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t slots[OP_SLOTS] = {0};
    unsigned count = 0;
    unsigned slot_bytes = 0;
    struct lowered_place place;

    if (!lower_place(state, object, PTX_SPACE_GLOBAL, &place) ||
        !lower_data(state, data, code == OP_SURFACE_STORE || code == OP_SURFACE_REDUCE, slots,
                    &count, &slot_bytes) ||
        count != instruction->vector) {
        return false;
    }
    struct op *op = lower_emit(state, code);
    for (unsigned i = 0; i < count; i++) {
        op->slot[i] = slots[i];
    }
    op->slot[SLOT_ADDRESS] = place.slot;
    op->slot[TEXTURE_ARGUMENTS] = argument_slots(state);
    op->space = PTX_SPACE_GLOBAL;
    op->address_is_wide = place.is_wide;
    op->offset = place.offset;
    op->type = instruction->type;
    op->source_type = instruction->source_type;
    op->kind = instruction->sub;
    op->border = instruction->border;
    op->is_formatted = (instruction->flags & PTX_FLAG_TEXELS) != 0;
    op->is_ordered = code == OP_SURFACE_REDUCE;
    state->code->runs_in_order |= op->is_ordered;
    op->target = instruction->geometry;
    op->bytes = (uint8_t)ptx_type_bytes(instruction->type);
    op->count = (uint8_t)count;
    op->slot_bytes = (uint8_t)(slot_bytes <= 4 ? 4 : 8);
    return true;
}

/* "|%p": whether the texels are there, which they always are. */
static bool set_residence(struct lowering *state, const struct ptx_operand *operand)
{
    uint32_t slot;

    if (operand->kind == PTX_OPERAND_SINK) {
        return true;
    }
    if (!lower_destination(state, operand, 0, &slot)) {
        return false;
    }
    const uint32_t yes = lower_constant(state, 0, 1);
    struct op *op = lower_emit(state, OP_PRED_MOV);
    op->slot[0] = slot;
    op->slot[1] = yes;
    return true;
}

/* What an object is: its size, or that of a level of it, or how it is read. */
static bool lower_query(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t level = lower_constant(state, 4, 0);
    uint32_t result;
    struct lowered_place place;

    if (!lower_place(state, &instruction->operands[1], PTX_SPACE_GLOBAL, &place) ||
        (instruction->operand_count > 2 &&
         !lower_source(state, &instruction->operands[2], 4, &level)) ||
        !lower_destination(state, &instruction->operands[0], 4, &result)) {
        return false;
    }
    struct op *op = lower_emit(state, OP_TEXTURE_QUERY);
    op->slot[0] = result;
    op->slot[1] = level;
    op->slot[SLOT_ADDRESS] = place.slot;
    op->space = PTX_SPACE_GLOBAL;
    op->address_is_wide = place.is_wide;
    op->offset = place.offset;
    op->kind = instruction->sub;
    return true;
}

bool lower_texture(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;

    switch (state->instruction->opcode) {
    case PTX_OP_SULD:
        return copy_coordinates(state, &operands[2]) &&
               emit_access(state, OP_SURFACE_LOAD, &operands[0], &operands[1]);
    case PTX_OP_SUST:
        return copy_coordinates(state, &operands[1]) &&
               emit_access(state, OP_SURFACE_STORE, &operands[2], &operands[0]);
    case PTX_OP_SURED:
        return copy_coordinates(state, &operands[1]) &&
               emit_access(state, OP_SURFACE_REDUCE, &operands[2], &operands[0]);
    case PTX_OP_TXQ:
    case PTX_OP_SUQ:
        return lower_query(state);
    default:
        return copy_coordinates(state, &operands[3]) && copy_level(state) &&
               emit_access(state, OP_TEXTURE, &operands[0], &operands[2]) &&
               set_residence(state, &operands[1]);
    }
}
