/* lower_arithmetic.c: chooses the ops of instructions that compute in registers.
 *
 * Most are found in one table, made from vector_ops.def and scalar_ops.def, by opcode, type and
 * modifiers. Around the op found there, .ftz flushes the sources before and the result after, .sat
 * clamps the result.
 */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/arithmetic/scalar_math.h"

/* Modifiers that choose between rows; the others are handled here or mean nothing. */
static const uint64_t key_flags = PTX_FLAG_LO | PTX_FLAG_HI | PTX_FLAG_WIDE | PTX_FLAG_APPROX |
                                  PTX_FLAG_FULL | PTX_FLAG_CC | PTX_FLAG_NAN | PTX_FLAG_ABS |
                                  PTX_FLAG_SHIFT_LEFT | PTX_FLAG_SHIFT_RIGHT | PTX_FLAG_CLAMP |
                                  PTX_FLAG_WRAP | PTX_FLAG_SHIFTAMT;
#define SUB(name) ((uint64_t)PTX_SUB_##name << 32)
#define KEY_DIRECTED (UINT64_C(1) << 40)
#define T(name) (UINT32_C(1) << PTX_##name)

enum { NO_OPERAND = -1 };

/* Bytes of a lane in the slot of a type of the tables. */
enum slot_width {
    WIDTH_u16 = 4,
    WIDTH_s16 = 4,
    WIDTH_u32 = 4,
    WIDTH_s32 = 4,
    WIDTH_f32 = 4,
    WIDTH_u64 = 8,
    WIDTH_s64 = 8,
    WIDTH_f64 = 8,
    WIDTH_none = NO_OPERAND,
};

struct choice {
    uint16_t opcode;
    uint16_t code;
    uint32_t types;
    uint64_t key;
    int8_t widths[4]; /* destination and three sources */
};

static const struct choice choices[] = {
#define VECTOR_OP(name, ptx, types, key, D, A, B, C, expression)                                   \
    {PTX_OP_##ptx, OP_##name, types, key, {WIDTH_##D, WIDTH_##A, WIDTH_##B, WIDTH_##C}},
#define SCALAR_OP VECTOR_OP
#include "device/emulated/arithmetic/scalar_ops.def"
#include "device/emulated/arithmetic/vector_ops.def"
#undef SCALAR_OP
#define DIRECTED_OP VECTOR_OP
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
#undef VECTOR_OP
};

static bool is_directed(uint8_t rounding)
{
    return rounding == PTX_ROUND_RZ || rounding == PTX_ROUND_RM || rounding == PTX_ROUND_RP;
}

/* The ops behind the modifiers of a floating-point type; OP_NOTHING where there is none. */
static const struct {
    uint16_t flush, saturate, relu;
} modifier_codes[PTX_TYPE_COUNT] = {
    [PTX_F32] = {OP_FLUSH_F32, OP_SATURATE_F32, OP_NOTHING},
    [PTX_F64] = {OP_FLUSH_F64, OP_SATURATE_F64, OP_NOTHING},
    [PTX_F16] = {OP_FLUSH_F16, OP_SATURATE_F16, OP_RELU_F16},
    [PTX_F16X2] = {OP_FLUSH_F16X2, OP_SATURATE_F16X2, OP_RELU_F16X2},
    [PTX_BF16] = {OP_NOTHING, OP_NOTHING, OP_RELU_BF16},
    [PTX_BF16X2] = {OP_NOTHING, OP_NOTHING, OP_RELU_BF16X2},
};

static const struct choice *find_choice(const struct ptx_instruction *instruction)
{
    uint64_t key = (instruction->flags & key_flags) | (uint64_t)instruction->sub << 32;
    key |= is_directed(instruction->rounding) ? KEY_DIRECTED : 0;
    key |= ptx_type_is_float(instruction->type) ? 0 : instruction->flags & PTX_FLAG_SAT;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice *choice = &choices[i];
        bool has_type = (choice->types >> instruction->type & 1) != 0;
        if (choice->opcode == instruction->opcode && has_type && choice->key == key) {
            return choice;
        }
    }
    return NULL;
}

uint32_t lower_unary(struct lowering *state, enum op_code code, unsigned bytes, uint32_t source)
{
    uint32_t slot = lower_new_slot(state, bytes);
    struct op *op = lower_emit(state, code);
    op->slot[0] = slot;
    op->slot[1] = source;
    return slot;
}

static void emit_in_place(struct lowering *state, enum op_code code, uint32_t slot)
{
    if (code != OP_NOTHING) {
        struct op *op = lower_emit(state, code);
        op->slot[0] = slot;
        op->slot[1] = slot;
    }
}

/* .ftz, .sat and .relu of a floating-point result. */
static void emit_result_modifiers(struct lowering *state, uint32_t slot)
{
    const struct ptx_instruction *instruction = state->instruction;
    if (!ptx_type_is_float(instruction->type)) {
        return;
    }
    if ((instruction->flags & PTX_FLAG_FTZ) != 0) {
        emit_in_place(state, modifier_codes[instruction->type].flush, slot);
    }
    if ((instruction->flags & PTX_FLAG_SAT) != 0) {
        emit_in_place(state, modifier_codes[instruction->type].saturate, slot);
    }
    if ((instruction->flags & PTX_FLAG_RELU) != 0) {
        emit_in_place(state, modifier_codes[instruction->type].relu, slot);
    }
}

bool lower_flushed(struct lowering *state, unsigned index, uint8_t type, unsigned bytes,
                   uint32_t *out_slot)
{
    if (!lower_source(state, &state->instruction->operands[index], bytes, out_slot)) {
        return false;
    }
    enum op_code flush = type == PTX_TYPE_NONE ? OP_NOTHING : modifier_codes[type].flush;
    bool is_float = ptx_type_is_float(type);
    if (is_float && (state->instruction->flags & PTX_FLAG_FTZ) != 0 && flush != OP_NOTHING) {
        *out_slot = lower_unary(state, flush, bytes, *out_slot);
    }
    return true;
}

static bool lower_choice(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct choice *choice = find_choice(instruction);
    if (choice == NULL) {
        return false;
    }
    uint32_t slots[OP_SLOTS] = {0};
    unsigned sources = 0;
    for (unsigned i = 1; i < 4 && choice->widths[i] != NO_OPERAND; i++) {
        sources++;
        if (i >= instruction->operand_count ||
            !lower_flushed(state, i, instruction->type, (unsigned)choice->widths[i], &slots[i])) {
            return false;
        }
    }
    bool has_fourth = instruction->operand_count == 5; /* bfi, lop3: a number of 32 bits */
    if ((has_fourth && !lower_source(state, &instruction->operands[4], 4, &slots[4])) ||
        instruction->operand_count != 1 + sources + has_fourth ||
        !lower_destination(state, &instruction->operands[0], (unsigned)choice->widths[0],
                           &slots[0])) {
        return false;
    }
    struct op *op = lower_emit(state, choice->code);
    for (unsigned i = 0; i < OP_SLOTS; i++) {
        op->slot[i] = slots[i];
    }
    op->type = instruction->type;
    op->source_type = instruction->source_type;
    op->kind = instruction->opcode == PTX_OP_PRMT ? instruction->sub : instruction->rounding;
    emit_result_modifiers(state, slots[0]);
    return true;
}

/* and, or, xor, not and mov of predicates. */
static bool lower_predicate(struct lowering *state)
{
    static const struct {
        uint16_t opcode, code;
    } codes[] = {
        {PTX_OP_MOV, OP_PRED_MOV}, {PTX_OP_NOT, OP_PRED_NOT}, {PTX_OP_AND, OP_PRED_AND},
        {PTX_OP_OR, OP_PRED_OR},   {PTX_OP_XOR, OP_PRED_XOR},
    };
    const struct ptx_instruction *instruction = state->instruction;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].opcode != instruction->opcode) {
            continue;
        }
        uint32_t slots[3] = {0};
        for (unsigned k = 1; k < instruction->operand_count && k < 3; k++) {
            if (!lower_source(state, &instruction->operands[k], 0, &slots[k])) {
                return false;
            }
        }
        if (!lower_destination(state, &instruction->operands[0], 0, &slots[0])) {
            return false;
        }
        struct op *op = lower_emit(state, codes[i].code);
        op->slot[0] = slots[0];
        op->slot[1] = slots[1];
        op->slot[2] = slots[2];
        return true;
    }
    return false;
}

/* mov.b64 d, {a, b} and the like: builds wide values from pairs. */
static bool lower_pack(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *vector = &instruction->operands[1];
    const struct ptx_operand *elements = &state->frame->function->elements[vector->element_first];
    uint32_t parts[4];
    size_t bytes = ptx_type_bytes(instruction->type);
    unsigned count = vector->element_count;
    bool is_known = (bytes == 8 && (count == 2 || count == 4)) || (bytes == 4 && count == 2);
    if (!is_known) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!lower_source(state, &elements[i], 4, &parts[i])) {
            return false;
        }
    }
    for (; count == 4; count = 2) {
        for (unsigned i = 0; i < 2; i++) {
            uint32_t pair = lower_new_slot(state, 4);
            struct op *op = lower_emit(state, OP_PACK_32);
            op->slot[0] = pair;
            op->slot[1] = parts[i * 2];
            op->slot[2] = parts[i * 2 + 1];
            parts[i] = pair;
        }
    }
    uint32_t d;
    if (!lower_destination(state, &instruction->operands[0], (unsigned)bytes, &d)) {
        return false;
    }
    struct op *op = lower_emit(state, bytes == 8 ? OP_PACK_64 : OP_PACK_32);
    op->slot[0] = d;
    op->slot[1] = parts[0];
    op->slot[2] = parts[1];
    return true;
}

/* Writes one part of a value: half of 64 or of 32 bits. */
static bool lower_part(struct lowering *state, const struct ptx_operand *destination,
                       enum op_code code, uint32_t source)
{
    uint32_t d;
    if (destination->kind == PTX_OPERAND_SINK) {
        return true;
    }
    if (!lower_destination(state, destination, 4, &d)) {
        return false;
    }
    struct op *op = lower_emit(state, code);
    op->slot[0] = d;
    op->slot[1] = source;
    return true;
}

/* mov.b64 {a, b}, s and the like. */
static bool lower_unpack(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *vector = &instruction->operands[0];
    const struct ptx_operand *elements = &state->frame->function->elements[vector->element_first];
    size_t bytes = ptx_type_bytes(instruction->type);
    uint32_t source;
    if ((bytes != 4 && bytes != 8) ||
        !lower_source(state, &instruction->operands[1], (unsigned)bytes, &source)) {
        return false;
    }
    if (bytes == 4 && vector->element_count == 2) {
        uint32_t copy = lower_unary(state, OP_MOV_32, 4, source);
        return lower_part(state, &elements[0], OP_CVT_U16_U32, copy) &&
               lower_part(state, &elements[1], OP_HIGH_16_OF_32, copy);
    }
    if (bytes == 8 && vector->element_count == 2) {
        return lower_part(state, &elements[0], OP_CVT_U32_U64, source) &&
               lower_part(state, &elements[1], OP_HIGH_32_OF_64, source);
    }
    if (bytes == 8 && vector->element_count == 4) {
        uint32_t low = lower_unary(state, OP_CVT_U32_U64, 4, source);
        uint32_t high = lower_unary(state, OP_HIGH_32_OF_64, 4, source);
        return lower_part(state, &elements[0], OP_CVT_U16_U32, low) &&
               lower_part(state, &elements[1], OP_HIGH_16_OF_32, low) &&
               lower_part(state, &elements[2], OP_CVT_U16_U32, high) &&
               lower_part(state, &elements[3], OP_HIGH_16_OF_32, high);
    }
    return false;
}

/* mov.v4 {a, b, c, d}, {e, f, g, h}: all are read before the first one is written. */
static bool lower_move_vector(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *to = &instruction->operands[0];
    const struct ptx_operand *from = &instruction->operands[1];
    const struct ptx_operand *elements = state->frame->function->elements;
    unsigned bytes = ptx_type_bytes(instruction->type) <= 4 ? 4 : 8;
    enum op_code code = bytes == 4 ? OP_MOV_32 : OP_MOV_64;
    uint32_t copies[4];

    if (to->kind != PTX_OPERAND_VECTOR || from->kind != PTX_OPERAND_VECTOR ||
        ptx_type_bytes(instruction->type) > 8) {
        return false;
    }
    for (unsigned i = 0; i < instruction->vector; i++) {
        uint32_t source;
        if (!lower_source(state, &elements[from->element_first + i], bytes, &source)) {
            return false;
        }
        copies[i] = lower_unary(state, code, bytes, source);
    }
    for (unsigned i = 0; i < instruction->vector; i++) {
        uint32_t slot;
        if (!lower_destination(state, &elements[to->element_first + i], bytes, &slot)) {
            return false;
        }
        struct op *op = lower_emit(state, code);
        op->slot[0] = slot;
        op->slot[1] = copies[i];
    }
    return true;
}

static bool lower_move(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    if (instruction->vector > 1) {
        return lower_move_vector(state);
    }
    if (instruction->operands[0].kind == PTX_OPERAND_VECTOR) {
        return lower_unpack(state);
    }
    if (instruction->operands[1].kind == PTX_OPERAND_VECTOR) {
        return lower_pack(state);
    }
    return lower_choice(state);
}

static unsigned type_slot_bytes(uint8_t type)
{
    return ptx_type_bytes(type) <= 4 ? 4 : 8;
}

bool lower_select(struct lowering *state, unsigned bytes, const uint32_t slots[4])
{
    struct op *op = lower_emit(state, bytes == 8 ? OP_SELECT_64 : OP_SELECT_32);
    for (unsigned i = 0; i < 4; i++) {
        op->slot[i] = slots[i];
    }
    return true;
}

static bool lower_selp(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    unsigned bytes = type_slot_bytes(instruction->type);
    uint32_t slots[4];
    return ptx_type_bytes(instruction->type) <= 8 &&
           lower_source(state, &instruction->operands[1], bytes, &slots[1]) &&
           lower_source(state, &instruction->operands[2], bytes, &slots[2]) &&
           lower_source(state, &instruction->operands[3], 0, &slots[3]) &&
           lower_destination(state, &instruction->operands[0], bytes, &slots[0]) &&
           lower_select(state, bytes, slots);
}

static bool lower_slct(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    unsigned bytes = type_slot_bytes(instruction->type);
    bool by_float = instruction->source_type == PTX_F32;
    uint32_t slots[4];
    if ((!by_float && instruction->source_type != PTX_S32) ||
        !lower_source(state, &instruction->operands[1], bytes, &slots[1]) ||
        !lower_source(state, &instruction->operands[2], bytes, &slots[2]) ||
        !lower_flushed(state, 3, instruction->source_type, 4, &slots[3]) ||
        !lower_destination(state, &instruction->operands[0], bytes, &slots[0])) {
        return false;
    }
    static const uint16_t codes[2][2] = {{OP_SLCT_32_S32, OP_SLCT_32_F32},
                                         {OP_SLCT_64_S32, OP_SLCT_64_F32}};
    struct op *op = lower_emit(state, codes[bytes == 8][by_float]);
    for (unsigned i = 0; i < 4; i++) {
        op->slot[i] = slots[i];
    }
    return true;
}

/* add.cc, addc and their relatives. The carry of a thread is a predicate of its function, so that a
 * call leaves its caller's as it was; PTX does not promise that, nor what is in it at first: 0. */
static bool lower_carry(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint16_t opcode = instruction->opcode;
    bool is_product = opcode == PTX_OP_MAD || opcode == PTX_OP_MADC;
    bool takes_carry = opcode == PTX_OP_ADDC || opcode == PTX_OP_SUBC || opcode == PTX_OP_MADC;
    unsigned bytes = (unsigned)ptx_type_bytes(instruction->type);
    unsigned sources = is_product ? 3 : 2;
    uint32_t slots[4] = {0};
    if ((bytes != 4 && bytes != 8) || instruction->operand_count != sources + 1 ||
        (instruction->flags & PTX_FLAG_SAT) != 0) {
        return false;
    }
    for (unsigned i = 1; i <= sources; i++) {
        if (!lower_source(state, &instruction->operands[i], bytes, &slots[i])) {
            return false;
        }
    }
    if (!lower_destination(state, &instruction->operands[0], bytes, &slots[0])) {
        return false;
    }
    if (state->frame->carry_slot == 0) {
        state->frame->carry_slot = lower_new_slot(state, 0);
    }
    struct op *op = lower_emit(state, OP_CARRY);
    for (unsigned i = 0; i < 4; i++) {
        op->slot[i] = slots[i];
    }
    op->slot[SLOT_CARRY] = state->frame->carry_slot;
    op->type = instruction->type;
    op->bytes = (uint8_t)bytes;
    op->kind = is_product ? ((instruction->flags & PTX_FLAG_HI) != 0 ? CARRY_MAD_HI : CARRY_MAD_LO)
               : opcode == PTX_OP_SUB || opcode == PTX_OP_SUBC ? CARRY_SUB
                                                               : CARRY_ADD;
    op->count = (takes_carry ? CARRY_TAKEN : 0) |
                ((instruction->flags & PTX_FLAG_CC) != 0 ? CARRY_GIVEN : 0);
    return true;
}

/* min and max with .NaN or .xorsign.abs. */
static bool lower_extreme(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t slots[3];
    if (ptx_type_bytes(instruction->type) > 4 || instruction->operand_count != 3 ||
        !lower_flushed(state, 1, instruction->type, 4, &slots[1]) ||
        !lower_flushed(state, 2, instruction->type, 4, &slots[2]) ||
        !lower_destination(state, &instruction->operands[0], 4, &slots[0])) {
        return false;
    }
    struct op *op = lower_emit(state, OP_EXTREME);
    for (unsigned i = 0; i < 3; i++) {
        op->slot[i] = slots[i];
    }
    op->type = instruction->type;
    op->kind = (instruction->opcode == PTX_OP_MAX ? EXTREME_MAX : 0) |
               ((instruction->flags & PTX_FLAG_NAN) != 0 ? EXTREME_NAN : 0) |
               ((instruction->flags & PTX_FLAG_ABS) != 0 ? EXTREME_XORSIGN : 0);
    return true;
}

bool lower_arithmetic(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    switch (instruction->opcode) {
    case PTX_OP_SELP:
        return lower_selp(state);
    case PTX_OP_SLCT:
        return lower_slct(state);
    case PTX_OP_ADDC:
    case PTX_OP_SUBC:
    case PTX_OP_MADC:
        return lower_carry(state);
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return (instruction->flags & (PTX_FLAG_NAN | PTX_FLAG_ABS)) != 0 ? lower_extreme(state)
                                                                         : lower_choice(state);
    case PTX_OP_MOV:
        return instruction->type == PTX_PRED ? lower_predicate(state) : lower_move(state);
    case PTX_OP_PMEVENT:
        lower_emit(state, OP_NOTHING);
        return true;
    default:
        if (instruction->type == PTX_PRED) {
            return lower_predicate(state);
        }
        return (instruction->flags & PTX_FLAG_CC) != 0 ? lower_carry(state) : lower_choice(state);
    }
}
