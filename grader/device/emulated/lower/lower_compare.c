/* lower_compare.c: setp, set, testp and selection.
 *
 * A comparison gives a predicate (compare_ops.def). Halves are compared as f32, to which they
 * convert exactly; of packed ones each half has a comparison of its own. set makes numbers out of
 * predicates.
 */
#include "device/emulated/lower/lowering_state.h"

#define T(name) (UINT32_C(1) << PTX_##name)

/* Bytes of a lane in the slot of a type of the table. */
enum slot_width {
    WIDTH_u16 = 4,
    WIDTH_u32 = 4,
    WIDTH_s16 = 4,
    WIDTH_s32 = 4,
    WIDTH_f32 = 4,
    WIDTH_u64 = 8,
    WIDTH_s64 = 8,
    WIDTH_f64 = 8,
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
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
};

static bool is_half(uint8_t type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

static bool is_packed(uint8_t type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

/* Operand `index` as it is compared: flushed, and a half as f32; `part` 1 is the upper half. */
static bool lower_compared(struct lowering *state, unsigned index, uint8_t type, unsigned part,
                           unsigned bytes, uint32_t *out_slot)
{
    static const uint16_t codes[2][2] = {{OP_CVT_F32_F16, OP_CVT_F32_HIGH_F16},
                                         {OP_CVT_F32_BF16, OP_CVT_F32_HIGH_BF16}};
    if (!lower_flushed(state, index, type, bytes, out_slot)) {
        return false;
    }
    if (is_half(type)) {
        bool is_bf16 = type == PTX_BF16 || type == PTX_BF16X2;
        *out_slot = lower_unary(state, codes[is_bf16][part], 4, *out_slot);
    }
    return true;
}

/* Appends the comparison of operands `index` and `index` + 1; its result is a new predicate. */
static bool emit_comparison(struct lowering *state, unsigned index, uint8_t type, unsigned part,
                            uint32_t *out_slot)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint8_t compared = is_half(type) ? PTX_F32 : type;
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        const struct comparison *comparison = &comparisons[i];
        if (comparison->compare != instruction->compare ||
            (comparison->types >> compared & 1) == 0) {
            continue;
        }
        uint32_t a;
        uint32_t b;
        if (!lower_compared(state, index, type, part, comparison->bytes, &a) ||
            !lower_compared(state, index + 1, type, part, comparison->bytes, &b)) {
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

/* setp of packed halves: %p is the comparison of the lower halves, %q that of the upper ones. */
static bool lower_packed_setp(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t results[2];
    for (unsigned part = 0; part < 2; part++) {
        uint32_t value;
        results[part] = lower_new_slot(state, 0);
        if (!emit_comparison(state, 2, instruction->type, part, &value) ||
            !emit_logic(state, 4, value, results[part])) {
            return false;
        }
    }
    for (unsigned part = 0; part < 2; part++) {
        uint32_t d;
        if (!lower_destination(state, &instruction->operands[part], 0, &d)) {
            return false;
        }
        struct op *op = lower_emit(state, OP_PRED_MOV);
        op->slot[0] = d;
        op->slot[1] = results[part];
    }
    return true;
}

static bool lower_setp(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *second = &instruction->operands[1];
    if (is_packed(instruction->type)) {
        return lower_packed_setp(state);
    }
    uint32_t p;
    uint32_t value;
    bool is_plain = instruction->sub == PTX_SUB_NONE && second->kind == PTX_OPERAND_SINK;
    if (!emit_comparison(state, 2, instruction->type, 0, &value) ||
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
            !emit_logic(state, 4, lower_unary(state, OP_PRED_NOT, 0, value), second_result)) {
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

/* What set gives where the comparison holds; 0 for a type that it does not have. */
static uint64_t set_value(uint8_t type)
{
    switch (type) {
    case PTX_F32:
        return 0x3f800000;
    case PTX_F16:
    case PTX_F16X2:
        return 0x3c00;
    case PTX_BF16:
    case PTX_BF16X2:
        return 0x3f80;
    case PTX_U16:
    case PTX_S16:
        return UINT16_MAX;
    case PTX_U32:
    case PTX_S32:
        return UINT32_MAX;
    default:
        return 0;
    }
}

/* One comparison of set; `out_slot` holds `value` or 0 then. */
static bool emit_set(struct lowering *state, unsigned part, uint64_t value, uint32_t out_slot)
{
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t holds;
    uint32_t slots[4] = {out_slot, lower_constant(state, 4, value), lower_constant(state, 4, 0),
                         lower_new_slot(state, 0)};
    return emit_comparison(state, 1, instruction->source_type, part, &holds) &&
           emit_logic(state, 3, holds, slots[3]) && lower_select(state, 4, slots);
}

static bool lower_set(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    bool compares_packed = is_packed(instruction->source_type);
    bool gives_word = instruction->type == PTX_U32 || instruction->type == PTX_S32;
    uint64_t value = set_value(instruction->type);
    uint32_t d;
    if (value == 0 || (is_packed(instruction->type) && !compares_packed) ||
        (compares_packed && !gives_word && instruction->type != instruction->source_type)) {
        return false;
    }
    if (!compares_packed) {
        uint32_t result = lower_new_slot(state, 4);
        if (!emit_set(state, 0, value, result) ||
            !lower_destination(state, &instruction->operands[0], 4, &d)) {
            return false;
        }
        state->ops[state->op_count - 1].slot[0] = d;
        return true;
    }
    uint32_t halves[2];
    for (unsigned part = 0; part < 2; part++) {
        halves[part] = lower_new_slot(state, 4);
        if (!emit_set(state, part, value & UINT16_MAX, halves[part])) {
            return false;
        }
    }
    if (!lower_destination(state, &instruction->operands[0], 4, &d)) {
        return false;
    }
    struct op *op = lower_emit(state, OP_PACK_32);
    op->slot[0] = d;
    op->slot[1] = halves[0];
    op->slot[2] = halves[1];
    return true;
}

static bool lower_testp(struct lowering *state)
{
    static const struct {
        uint8_t sub, type;
        uint16_t code;
    } tests[] = {
        {PTX_SUB_FINITE, PTX_F32, OP_TEST_FINITE_F32},
        {PTX_SUB_INFINITE, PTX_F32, OP_TEST_INFINITE_F32},
        {PTX_SUB_NUMBER, PTX_F32, OP_CMP_NUM_F32},
        {PTX_SUB_NOTANUMBER, PTX_F32, OP_CMP_NAN_F32},
        {PTX_SUB_NORMAL, PTX_F32, OP_TEST_NORMAL_F32},
        {PTX_SUB_SUBNORMAL, PTX_F32, OP_TEST_SUBNORMAL_F32},
        {PTX_SUB_FINITE, PTX_F64, OP_TEST_FINITE_F64},
        {PTX_SUB_INFINITE, PTX_F64, OP_TEST_INFINITE_F64},
        {PTX_SUB_NUMBER, PTX_F64, OP_CMP_NUM_F64},
        {PTX_SUB_NOTANUMBER, PTX_F64, OP_CMP_NAN_F64},
        {PTX_SUB_NORMAL, PTX_F64, OP_TEST_NORMAL_F64},
        {PTX_SUB_SUBNORMAL, PTX_F64, OP_TEST_SUBNORMAL_F64},
    };
    const struct ptx_instruction *instruction = state->instruction;
    uint32_t source;
    uint32_t d;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (tests[i].sub != instruction->sub || tests[i].type != instruction->type) {
            continue;
        }
        unsigned bytes = (unsigned)ptx_type_bytes(instruction->type);
        if (!lower_source(state, &instruction->operands[1], bytes, &source) ||
            !lower_destination(state, &instruction->operands[0], 0, &d)) {
            return false;
        }
        struct op *op = lower_emit(state, tests[i].code);
        op->slot[0] = d;
        op->slot[1] = source;
        op->slot[2] = source;
        return true;
    }
    return false;
}

bool lower_comparison(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_SETP:
        return lower_setp(state);
    case PTX_OP_SET:
        return lower_set(state);
    default:
        return lower_testp(state);
    }
}
