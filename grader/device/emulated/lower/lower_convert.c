/* lower_convert.c: cvt, cvta and isspacep. */
#include "device/emulated/arithmetic/conversion.h"
#include "device/emulated/lower/lowering_state.h"

#define T(name) (UINT32_C(1) << PTX_##name)

/* Frequent conversions of one op, to nearest even where they round. */
static const struct {
    uint32_t to, from;
    bool rounds;
    uint16_t code;
} conversions[] = {
    {T(F32), T(S32), true, OP_CVT_F32_S32},    {T(F32), T(U32), true, OP_CVT_F32_U32},
    {T(F32), T(S64), true, OP_CVT_F32_S64},    {T(F32), T(U64), true, OP_CVT_F32_U64},
    {T(F64), T(S32), true, OP_CVT_F64_S32},    {T(F64), T(U32), true, OP_CVT_F64_U32},
    {T(F64), T(S64), true, OP_CVT_F64_S64},    {T(F64), T(U64), true, OP_CVT_F64_U64},
    {T(F64), T(F32), false, OP_CVT_F64_F32},   {T(F32), T(F64), true, OP_CVT_F32_F64},
    {T(F32), T(F16), false, OP_CVT_F32_F16},   {T(F16), T(F32), true, OP_CVT_F16_F32},
    {T(F32), T(BF16), false, OP_CVT_F32_BF16}, {T(BF16), T(F32), true, OP_CVT_BF16_F32},
};

static uint16_t frequent_conversion(const struct ptx_instruction *instruction)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        uint8_t rounding = conversions[i].rounds ? PTX_ROUND_RN : PTX_ROUND_NONE;
        if ((conversions[i].to >> instruction->type & 1) != 0 &&
            (conversions[i].from >> instruction->source_type & 1) != 0 &&
            instruction->rounding == rounding) {
            return conversions[i].code;
        }
    }
    return OP_CONVERT;
}

/* The op that rounds a number to an integer, by direction and type. */
static uint16_t round_code(uint8_t rounding, uint8_t type)
{
    static const uint16_t codes[4][2] = {{OP_ROUND_NEAREST_F32, OP_ROUND_NEAREST_F64},
                                         {OP_ROUND_ZERO_F32, OP_ROUND_ZERO_F64},
                                         {OP_ROUND_DOWN_F32, OP_ROUND_DOWN_F64},
                                         {OP_ROUND_UP_F32, OP_ROUND_UP_F64}};
    bool is_known = rounding >= PTX_ROUND_RNI && rounding <= PTX_ROUND_RPI &&
                    (type == PTX_F32 || type == PTX_F64);
    return is_known ? codes[rounding - PTX_ROUND_RNI][type == PTX_F64] : OP_NOTHING;
}

/* Bytes of the register of an operand; of the type where it is no register. 0: a predicate. */
static unsigned operand_bytes(const struct lowering *state, const struct ptx_operand *operand,
                              uint8_t type)
{
    if (operand->kind == PTX_OPERAND_REGISTER) {
        return lower_register_bytes(state, operand->reg);
    }
    size_t bytes = ptx_type_bytes(type);
    return bytes <= 2 ? 2 : (unsigned)bytes;
}

static void emit_two(struct lowering *state, enum op_code code, uint32_t d, uint32_t first,
                     uint32_t second)
{
    struct op *op = lower_emit(state, code);
    op->slot[0] = d;
    op->slot[1] = first;
    op->slot[2] = second;
}

static void emit_last(struct lowering *state, enum op_code code, uint32_t d, uint32_t source)
{
    emit_two(state, code, d, source, 0);
}

/* Appends a conversion from a slot to another; `*_bytes` are those of the registers. */
static void emit_convert(struct lowering *state, uint16_t code, const uint32_t slots[2],
                         const unsigned bytes[2])
{
    const struct ptx_instruction *instruction = state->instruction;
    struct op *op = lower_emit(state, code);
    op->slot[0] = slots[0];
    op->slot[1] = slots[1];
    op->type = instruction->type;
    op->source_type = instruction->source_type;
    op->kind = instruction->rounding;
    op->slot_bytes = (uint8_t)bytes[0];
    op->bytes = (uint8_t)bytes[1];
    op->saturate = (instruction->flags & PTX_FLAG_SAT) != 0;
    op->count = ((instruction->flags & PTX_FLAG_FTZ) != 0 ? CONVERT_FLUSHES : 0) |
                ((instruction->flags & PTX_FLAG_RELU) != 0 ? CONVERT_CLAMPS : 0) |
                ((instruction->flags & PTX_FLAG_SATFINITE) != 0 ? CONVERT_IS_FINITE : 0) |
                (instruction->sub == PTX_SUB_PACK ? CONVERT_PACKS : 0);
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower one. cvt.pack d, a, b, c: so do
 * they, and c moves up. */
static bool lower_packed_convert(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const unsigned bytes[2] = {operand_bytes(state, &instruction->operands[0], instruction->type),
                               8};
    bool moves = instruction->operand_count == 4;
    uint32_t sources[3];
    uint32_t d;
    for (size_t i = 0; i + 1 < instruction->operand_count; i++) {
        if (!lower_source(state, &instruction->operands[i + 1], 4, &sources[i])) {
            return false;
        }
    }
    if (bytes[0] > 4 || !lower_destination(state, &instruction->operands[0], 4, &d)) {
        return false;
    }
    const uint32_t slots[2] = {moves ? lower_new_slot(state, 4) : d, lower_new_slot(state, 8)};
    emit_two(state, OP_PACK_64, slots[1], sources[1], sources[0]);
    emit_convert(state, OP_CONVERT, slots, bytes);
    if (moves) {
        uint32_t moved = lower_new_slot(state, 4);
        uint32_t width = lower_constant(state, 4, 2 * ptx_type_bits(instruction->type));
        emit_two(state, OP_SHL_32, moved, sources[2], width);
        emit_two(state, OP_OR_32, d, moved, slots[0]);
    }
    return true;
}

/* The op that extends 8 or 16 bits to 32; OP_NOTHING for wider types. */
static uint16_t extend_code(uint8_t type)
{
    switch (type) {
    case PTX_S8:
        return OP_EXTEND_S8;
    case PTX_U8:
        return OP_EXTEND_U8;
    case PTX_S16:
        return OP_EXTEND_S16;
    case PTX_U16:
        return OP_EXTEND_U16;
    default:
        return OP_NOTHING;
    }
}

/* Integer to integer, without .sat: cut or extended to the result's type, then to its register. */
static void lower_integer_convert(struct lowering *state, const uint32_t slots[2],
                                  const unsigned bytes[2])
{
    const struct ptx_instruction *instruction = state->instruction;
    bool to_wide = ptx_type_bytes(instruction->type) == 8;
    bool is_signed = ptx_type_is_signed(to_wide ? instruction->source_type : instruction->type);
    uint32_t value = slots[1];
    if (to_wide && ptx_type_bytes(instruction->source_type) == 8) {
        emit_last(state, OP_MOV_64, slots[0], value);
        return;
    }
    if (bytes[1] == 8) {
        value = lower_unary(state, OP_CVT_U32_U64, 4, value);
    }
    const uint16_t steps[] = {extend_code(instruction->source_type), extend_code(instruction->type),
                              bytes[0] == 2 && instruction->type != PTX_U8 ? OP_EXTEND_U16
                                                                           : OP_NOTHING};
    for (unsigned i = 0; i < 3; i++) {
        bool is_needed = steps[i] != OP_NOTHING && (i == 0 || steps[i] != steps[i - 1]);
        value = is_needed ? lower_unary(state, steps[i], 4, value) : value;
    }
    if (bytes[0] == 8) {
        emit_last(state, is_signed ? OP_CVT_S64_S32 : OP_CVT_U64_U32, slots[0], value);
    } else if (value == slots[1]) {
        emit_last(state, OP_MOV_32, slots[0], value);
    } else {
        state->ops[state->op_count - 1].slot[0] = slots[0];
    }
}

/* Float to integer of 32 bits, and to float of the same type: rounded, then converted. */
static bool lower_rounding_convert(struct lowering *state, const uint32_t slots[2])
{
    const struct ptx_instruction *instruction = state->instruction;
    uint16_t round = round_code(instruction->rounding, instruction->source_type);
    bool flushes = (instruction->flags & PTX_FLAG_FTZ) != 0 && instruction->source_type == PTX_F32;
    bool to_s32 = instruction->type == PTX_S32 && instruction->source_type == PTX_F32;
    bool to_u32 = instruction->type == PTX_U32 && instruction->source_type == PTX_F32;
    uint32_t value = slots[1];
    if (round == OP_NOTHING || (instruction->flags & PTX_FLAG_SAT) != 0 ||
        (instruction->type != instruction->source_type && !to_s32 && !to_u32)) {
        return false;
    }
    value = flushes ? lower_unary(state, OP_FLUSH_F32, 4, value) : value;
    if (!to_s32 && !to_u32) {
        emit_last(state, round, slots[0], value);
        return true;
    }
    value = round != OP_ROUND_ZERO_F32 ? lower_unary(state, round, 4, value) : value;
    emit_last(state, to_s32 ? OP_CVT_S32_F32 : OP_CVT_U32_F32, slots[0], value);
    return true;
}

static bool lower_convert(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct conversion conversion = {.to = instruction->type,
                                          .from = instruction->source_type};
    if (instruction->operand_count > 2) {
        return lower_packed_convert(state);
    }
    if (!conversion_is_known(&conversion)) {
        return false;
    }
    const unsigned bytes[2] = {
        operand_bytes(state, &instruction->operands[0], instruction->type),
        operand_bytes(state, &instruction->operands[1], instruction->source_type)};
    uint32_t slots[2];
    if (bytes[0] == 0 || bytes[1] == 0 ||
        !lower_source(state, &instruction->operands[1], bytes[1] <= 4 ? 4 : 8, &slots[1]) ||
        !lower_destination(state, &instruction->operands[0], bytes[0] <= 4 ? 4 : 8, &slots[0])) {
        return false;
    }
    const uint32_t modifiers = PTX_FLAG_SAT | PTX_FLAG_FTZ | PTX_FLAG_RELU | PTX_FLAG_SATFINITE;
    bool is_plain = (instruction->flags & modifiers) == 0;
    bool has_float =
        ptx_type_is_float(instruction->type) || ptx_type_is_float(instruction->source_type);
    if (!has_float && is_plain) {
        lower_integer_convert(state, slots, bytes);
        return true;
    }
    bool exact_widths = bytes[0] == ptx_type_bytes(instruction->type) &&
                        bytes[1] == ptx_type_bytes(instruction->source_type);
    if (exact_widths && lower_rounding_convert(state, slots)) {
        return true;
    }
    bool saturates_f32 = (instruction->flags & modifiers) == PTX_FLAG_SAT &&
                         instruction->type == PTX_F32 && instruction->source_type == PTX_F32 &&
                         instruction->rounding == PTX_ROUND_NONE;
    uint16_t code = is_plain && exact_widths        ? frequent_conversion(instruction)
                    : saturates_f32 && exact_widths ? OP_CVT_SAT_F32
                                                    : OP_CONVERT;
    emit_convert(state, code, slots, bytes);
    return true;
}

/* cvta: the difference between an address in a space and the generic one. */
static bool lower_cvta(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint64_t window = instruction->space == PTX_SPACE_SHARED  ? SHARED_WINDOW
                      : instruction->space == PTX_SPACE_LOCAL ? LOCAL_WINDOW
                      : instruction->space == PTX_SPACE_PARAM ? PARAM_WINDOW
                                                              : 0;
    uint32_t source;
    uint32_t d;
    if (ptx_type_bytes(instruction->type) != 8 ||
        !lower_source(state, &instruction->operands[1], 8, &source) ||
        !lower_destination(state, &instruction->operands[0], 8, &d)) {
        return false;
    }
    bool is_back = (instruction->flags & PTX_FLAG_TO) != 0;
    uint32_t difference = lower_constant(state, 8, is_back ? 0 - window : window);
    struct op *op = lower_emit(state, window == 0 ? OP_MOV_64 : OP_ADD_64);
    op->slot[0] = d;
    op->slot[1] = source;
    op->slot[2] = difference;
    return true;
}

static bool lower_is_space(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t source;
    uint32_t d;
    if (!lower_source(state, &instruction->operands[1], 8, &source) ||
        !lower_destination(state, &instruction->operands[0], 0, &d)) {
        return false;
    }
    struct op *op = lower_emit(state, OP_IS_SPACE);
    op->slot[0] = d;
    op->slot[1] = source;
    op->space = instruction->space;
    op->bytes = 8;
    return true;
}

bool lower_conversion(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_CVT:
        return lower_convert(state);
    case PTX_OP_CVTA:
        return lower_cvta(state);
    default:
        return lower_is_space(state);
    }
}
