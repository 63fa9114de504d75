/* lower_arithmetic.c: chooses the ops of instructions that compute in registers.
 *
 * Most are found in one table, made from lane_ops.def and rare_ops.def, by opcode, type and
 * modifiers. Around the op found there, .ftz flushes the sources before and the result after, .sat
 * clamps the result.
 */
#include "device/emulated/lowering_state.h"

#include "device/emulated/conversion.h"

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
#define LANE_OP(name, ptx, types, key, D, A, B, C, expression)                                     \
    {PTX_OP_##ptx, OP_##name, types, key, {WIDTH_##D, WIDTH_##A, WIDTH_##B, WIDTH_##C}},
#define RARE_OP LANE_OP
#include "device/emulated/lane_ops.def"
#include "device/emulated/rare_ops.def"
#undef RARE_OP
#undef LANE_OP
};

struct comparison {
    uint16_t code;
    uint8_t compare;
    uint8_t bytes;
    uint32_t types;
};

static const struct comparison comparisons[] = {
#define COMPARE_OP(name, types, compare, type, condition)                                          \
    {OP_##name, PTX_CMP_##compare, WIDTH_##type, types},
#include "device/emulated/compare_ops.def"
#undef COMPARE_OP
};

static bool is_directed(uint8_t rounding)
{
    return rounding == PTX_ROUND_RZ || rounding == PTX_ROUND_RM || rounding == PTX_ROUND_RP;
}

static bool is_float(uint8_t type)
{
    return type == PTX_F32 || type == PTX_F64;
}

static const struct choice *find_choice(const struct ptx_instruction *instruction)
{
    uint64_t key = (instruction->flags & key_flags) | (uint64_t)instruction->sub << 32;
    key |= is_directed(instruction->rounding) ? KEY_DIRECTED : 0;
    key |= is_float(instruction->type) ? 0 : instruction->flags & PTX_FLAG_SAT;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice *choice = &choices[i];
        bool has_type = (choice->types >> instruction->type & 1) != 0;
        if (choice->opcode == instruction->opcode && has_type && choice->key == key) {
            return choice;
        }
    }
    return NULL;
}

/* Appends an op with one source, and returns its destination, a new slot. */
static uint32_t emit_unary(struct lowering *state, enum op_code code, unsigned bytes,
                           uint32_t source)
{
    uint32_t slot = lower_new_slot(state, bytes);
    struct op *op = lower_emit(state, code);
    op->slot[0] = slot;
    op->slot[1] = source;
    return slot;
}

static void emit_in_place(struct lowering *state, enum op_code code, uint32_t slot)
{
    struct op *op = lower_emit(state, code);
    op->slot[0] = slot;
    op->slot[1] = slot;
}

static bool flushes(const struct ptx_instruction *instruction)
{
    return (instruction->flags & PTX_FLAG_FTZ) != 0 && instruction->type == PTX_F32;
}

/* .sat and .ftz of a floating-point result. */
static void emit_result_modifiers(struct lowering *state, uint32_t slot)
{
    const struct ptx_instruction *instruction = state->instruction;
    if (flushes(instruction)) {
        emit_in_place(state, OP_FLUSH_F32, slot);
    }
    if ((instruction->flags & PTX_FLAG_SAT) != 0 && is_float(instruction->type)) {
        emit_in_place(state, instruction->type == PTX_F32 ? OP_SATURATE_F32 : OP_SATURATE_F64,
                      slot);
    }
}

/* A source of `bytes`, flushed if the instruction flushes. */
static bool lower_operand(struct lowering *state, unsigned index, unsigned bytes, bool flush,
                          uint32_t *out_slot)
{
    if (!lower_source(state, &state->instruction->operands[index], bytes, out_slot)) {
        return false;
    }
    if (flush) {
        *out_slot = emit_unary(state, OP_FLUSH_F32, 4, *out_slot);
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
        if (i >= instruction->operand_count || !lower_operand(state, i, (unsigned)choice->widths[i],
                                                              flushes(instruction), &slots[i])) {
            return false;
        }
    }
    bool has_fourth = instruction->operand_count == 5; /* bfi, lop3: a number of 32 bits */
    if ((has_fourth && !lower_operand(state, 4, 4, false, &slots[4])) ||
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
        uint32_t copy = emit_unary(state, OP_MOV_32, 4, source);
        return lower_part(state, &elements[0], OP_CVT_U16_U32, copy) &&
               lower_part(state, &elements[1], OP_HIGH_16_OF_32, copy);
    }
    if (bytes == 8 && vector->element_count == 2) {
        return lower_part(state, &elements[0], OP_CVT_U32_U64, source) &&
               lower_part(state, &elements[1], OP_HIGH_32_OF_64, source);
    }
    if (bytes == 8 && vector->element_count == 4) {
        uint32_t low = emit_unary(state, OP_CVT_U32_U64, 4, source);
        uint32_t high = emit_unary(state, OP_HIGH_32_OF_64, 4, source);
        return lower_part(state, &elements[0], OP_CVT_U16_U32, low) &&
               lower_part(state, &elements[1], OP_HIGH_16_OF_32, low) &&
               lower_part(state, &elements[2], OP_CVT_U16_U32, high) &&
               lower_part(state, &elements[3], OP_HIGH_16_OF_32, high);
    }
    return false;
}

static bool lower_move(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    if (instruction->operands[0].kind == PTX_OPERAND_VECTOR) {
        return lower_unpack(state);
    }
    if (instruction->operands[1].kind == PTX_OPERAND_VECTOR) {
        return lower_pack(state);
    }
    return lower_choice(state);
}

/* Appends the comparison of operands `index` and `index` + 1; its result is a new predicate. */
static bool emit_comparison(struct lowering *state, unsigned index, uint8_t type,
                            uint32_t *out_slot)
{
    const struct ptx_instruction *instruction = state->instruction;
    bool flush = (instruction->flags & PTX_FLAG_FTZ) != 0 && type == PTX_F32;
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        const struct comparison *comparison = &comparisons[i];
        if (comparison->compare != instruction->compare || (comparison->types >> type & 1) == 0) {
            continue;
        }
        uint32_t a;
        uint32_t b;
        if (!lower_operand(state, index, comparison->bytes, flush, &a) ||
            !lower_operand(state, index + 1, comparison->bytes, flush, &b)) {
            return false;
        }
        *out_slot = lower_new_slot(state, 0);
        struct op *op = lower_emit(state, comparison->code);
        op->slot[0] = *out_slot;
        op->slot[1] = a;
        op->slot[2] = b;
        return true;
    }
    return false;
}

/* d = `value` and, or, xor'ed with predicate operand `index`, if there is one. */
static bool emit_logic(struct lowering *state, unsigned index, uint32_t value, uint32_t d)
{
    const struct ptx_instruction *instruction = state->instruction;
    if (index >= instruction->operand_count || instruction->sub == PTX_SUB_NONE) {
        struct op *op = lower_emit(state, OP_PRED_MOV);
        op->slot[0] = d;
        op->slot[1] = value;
        return true;
    }
    uint32_t with;
    if (!lower_source(state, &instruction->operands[index], 0, &with)) {
        return false;
    }
    struct op *op = lower_emit(state, instruction->sub == PTX_SUB_AND  ? OP_PRED_AND
                                      : instruction->sub == PTX_SUB_OR ? OP_PRED_OR
                                                                       : OP_PRED_XOR);
    op->slot[0] = d;
    op->slot[1] = value;
    op->slot[2] = with;
    return true;
}

static bool lower_setp(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *second = &instruction->operands[1];
    uint32_t p;
    uint32_t value;
    bool is_plain = instruction->sub == PTX_SUB_NONE && second->kind == PTX_OPERAND_SINK;
    if (!emit_comparison(state, 2, instruction->type, &value) ||
        !lower_destination(state, &instruction->operands[0], 0, &p)) {
        return false;
    }
    if (is_plain) {
        state->ops[state->op_count - 1].slot[0] = p;
        return true;
    }
    /* the source predicate may be a destination too: both results are made before they are stored
     */
    uint32_t q = 0;
    bool has_second = second->kind != PTX_OPERAND_SINK;
    uint32_t first_result = lower_new_slot(state, 0);
    uint32_t second_result = lower_new_slot(state, 0);
    if (!emit_logic(state, 4, value, first_result)) {
        return false;
    }
    if (has_second) {
        if (!lower_destination(state, second, 0, &q) ||
            !emit_logic(state, 4, emit_unary(state, OP_PRED_NOT, 0, value), second_result)) {
            return false;
        }
        struct op *op = lower_emit(state, OP_PRED_MOV);
        op->slot[0] = q;
        op->slot[1] = second_result;
    }
    struct op *op = lower_emit(state, OP_PRED_MOV);
    op->slot[0] = p;
    op->slot[1] = first_result;
    return true;
}

static bool emit_select(struct lowering *state, unsigned bytes, const uint32_t slots[4])
{
    struct op *op = lower_emit(state, bytes == 8 ? OP_SELECT_64 : OP_SELECT_32);
    for (unsigned i = 0; i < 4; i++) {
        op->slot[i] = slots[i];
    }
    return true;
}

static bool lower_set(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    bool gives_float = instruction->type == PTX_F32;
    uint8_t compared = instruction->source_type;
    uint32_t value;
    uint32_t slots[4];
    if ((!gives_float && instruction->type != PTX_U32 && instruction->type != PTX_S32) ||
        !emit_comparison(state, 1, compared, &value)) {
        return false;
    }
    slots[1] = lower_constant(state, 4, gives_float ? 0x3f800000 : UINT32_MAX);
    slots[2] = lower_constant(state, 4, 0);
    slots[3] = lower_new_slot(state, 0);
    return emit_logic(state, 3, value, slots[3]) &&
           lower_destination(state, &instruction->operands[0], 4, &slots[0]) &&
           emit_select(state, 4, slots);
}

static unsigned type_slot_bytes(uint8_t type)
{
    return ptx_type_bytes(type) <= 4 ? 4 : 8;
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
           emit_select(state, bytes, slots);
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
        !lower_source(state, &instruction->operands[3], 4, &slots[3]) ||
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

/* Frequent conversions between registers exactly as wide as their types. */
static const struct {
    uint32_t to, from;
    bool rounds_to_nearest; /* needs .rn, or no rounding if false */
    uint16_t code;
} conversions[] = {
    {T(U64) | T(S64), T(U32), false, OP_CVT_U64_U32},
    {T(U64) | T(S64), T(S32), false, OP_CVT_S64_S32},
    {T(U32) | T(S32), T(U64) | T(S64), false, OP_CVT_U32_U64},
    {T(U32) | T(S32), T(U32) | T(S32), false, OP_MOV_32},
    {T(U64) | T(S64), T(U64) | T(S64), false, OP_MOV_64},
    {T(U16) | T(S16), T(U32) | T(S32), false, OP_CVT_U16_U32},
    {T(U32) | T(S32), T(U16), false, OP_MOV_32},
    {T(U32) | T(S32), T(S16), false, OP_CVT_S32_S16},
    {T(F32), T(S32), true, OP_CVT_F32_S32},
    {T(F32), T(U32), true, OP_CVT_F32_U32},
    {T(F64), T(S32), true, OP_CVT_F64_S32},
    {T(F64), T(F32), false, OP_CVT_F64_F32},
    {T(F32), T(F64), true, OP_CVT_F32_F64},
};

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

static uint16_t frequent_conversion(const struct ptx_instruction *instruction, bool exact_widths)
{
    bool is_plain = (instruction->flags & (PTX_FLAG_SAT | PTX_FLAG_FTZ)) == 0;
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        uint8_t rounding = conversions[i].rounds_to_nearest ? PTX_ROUND_RN : PTX_ROUND_NONE;
        if (is_plain && exact_widths && (conversions[i].to >> instruction->type & 1) != 0 &&
            (conversions[i].from >> instruction->source_type & 1) != 0 &&
            instruction->rounding == rounding) {
            return conversions[i].code;
        }
    }
    return OP_CONVERT;
}

static bool lower_convert(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct conversion conversion = {.to = instruction->type,
                                          .from = instruction->source_type};
    if (instruction->operand_count != 2 || !conversion_is_known(&conversion)) {
        return false;
    }
    unsigned to_bytes = operand_bytes(state, &instruction->operands[0], instruction->type);
    unsigned from_bytes = operand_bytes(state, &instruction->operands[1], instruction->source_type);
    uint32_t slots[2];
    if (to_bytes == 0 || from_bytes == 0 ||
        !lower_source(state, &instruction->operands[1], from_bytes <= 4 ? 4 : 8, &slots[1]) ||
        !lower_destination(state, &instruction->operands[0], to_bytes <= 4 ? 4 : 8, &slots[0])) {
        return false;
    }
    bool exact_widths = to_bytes == ptx_type_bytes(instruction->type) &&
                        from_bytes == ptx_type_bytes(instruction->source_type);
    struct op *op = lower_emit(state, frequent_conversion(instruction, exact_widths));
    op->slot[0] = slots[0];
    op->slot[1] = slots[1];
    op->type = instruction->type;
    op->source_type = instruction->source_type;
    op->kind = instruction->rounding;
    op->bytes = (uint8_t)from_bytes;
    op->slot_bytes = (uint8_t)to_bytes;
    op->saturate = (instruction->flags & PTX_FLAG_SAT) != 0;
    op->count = (instruction->flags & PTX_FLAG_FTZ) != 0;
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

bool lower_arithmetic(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_SETP:
        return lower_setp(state);
    case PTX_OP_SET:
        return lower_set(state);
    case PTX_OP_SELP:
        return lower_selp(state);
    case PTX_OP_SLCT:
        return lower_slct(state);
    case PTX_OP_CVT:
        return lower_convert(state);
    case PTX_OP_CVTA:
        return lower_cvta(state);
    case PTX_OP_ISSPACEP:
        return lower_is_space(state);
    case PTX_OP_MOV:
        return state->instruction->type == PTX_PRED ? lower_predicate(state) : lower_move(state);
    default:
        return state->instruction->type == PTX_PRED ? lower_predicate(state) : lower_choice(state);
    }
}
