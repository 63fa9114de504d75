/* ptx_mnemonic.c: "ld.global.v4.f32" to the fields of an instruction.
 *
 * Every mnemonic is taken apart once; the result is kept under its whole text, because a kernel
 * has thousands of instructions and a few dozen mnemonics. Words that the opcode does not allow,
 * and combinations that PTX does not have, make the instruction PTX_OP_UNKNOWN, so that whoever
 * executes instructions never meets one that it could get wrong.
 */
#include "ptx/ptx_matrix.h"
#include "ptx/ptx_parser.h"

#include <string.h>

#define WIDTHS (PTX_FLAG_LO | PTX_FLAG_HI | PTX_FLAG_WIDE)

static bool is_float(const struct ptx_instruction *instruction)
{
    return ptx_type_is_float((enum ptx_type)instruction->type);
}

static size_t bytes_of(const struct ptx_instruction *instruction)
{
    return ptx_type_bytes((enum ptx_type)instruction->type);
}

static bool rounds_to_float(const struct ptx_instruction *instruction)
{
    return instruction->rounding >= PTX_ROUND_RN && instruction->rounding <= PTX_ROUND_RP;
}

static bool rounds_to_integer(const struct ptx_instruction *instruction)
{
    return instruction->rounding >= PTX_ROUND_RNI && instruction->rounding <= PTX_ROUND_RPI;
}

/* lo, hi and wide belong to integers, each alone; wide to those of 16 and 32 bits. */
static bool widths_agree(const struct ptx_instruction *instruction)
{
    uint32_t widths = instruction->flags & WIDTHS;
    bool is_product = instruction->opcode == PTX_OP_MUL || instruction->opcode == PTX_OP_MAD;

    if (is_product && is_float(instruction)) {
        return widths == 0;
    }
    if ((widths & (widths - 1)) != 0) {
        return false;
    }
    return widths != PTX_FLAG_WIDE || bytes_of(instruction) <= 4;
}

static bool is_bf16(const struct ptx_instruction *instruction)
{
    return instruction->type == PTX_BF16 || instruction->type == PTX_BF16X2;
}

static bool is_half(const struct ptx_instruction *instruction)
{
    return instruction->type == PTX_F16 || instruction->type == PTX_F16X2 || is_bf16(instruction);
}

/* Halves are rounded to nearest only; bf16 has neither ftz nor sat, but ex2 always flushes it. */
static bool half_agrees(const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->flags;
    uint32_t foreign = is_bf16(instruction) ? PTX_FLAG_FTZ | PTX_FLAG_SAT : 0;

    if (instruction->opcode == PTX_OP_EX2 && is_bf16(instruction)) {
        return (flags & PTX_FLAG_FTZ) != 0;
    }
    if (instruction->opcode == PTX_OP_SET || instruction->opcode == PTX_OP_SETP) {
        return true;
    }
    return (flags & foreign) == 0 &&
           (flags & (PTX_FLAG_SAT | PTX_FLAG_RELU)) != (PTX_FLAG_SAT | PTX_FLAG_RELU) &&
           instruction->rounding <= PTX_ROUND_RN;
}

/* Rounding, ftz, approx and sat where the type has them. */
static bool arithmetic_agrees(const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->flags;
    bool is_double = instruction->type == PTX_F64;
    bool has_double_forms =
        instruction->opcode == PTX_OP_RCP || instruction->opcode == PTX_OP_RSQRT;

    if (is_float(instruction)) {
        bool narrow_only =
            (flags & (PTX_FLAG_FTZ | PTX_FLAG_APPROX | PTX_FLAG_FULL | PTX_FLAG_SAT)) != 0;
        if (is_half(instruction) ? !half_agrees(instruction) : (flags & PTX_FLAG_RELU) != 0) {
            return false;
        }
        return (flags & PTX_FLAG_CC) == 0 &&
               (instruction->rounding == PTX_ROUND_NONE || rounds_to_float(instruction)) &&
               (!is_double || !narrow_only || has_double_forms);
    }
    bool is_mixed = ptx_type_is_float((enum ptx_type)instruction->source_type);
    if ((flags & PTX_FLAG_FTZ) != 0 && !is_mixed &&
        !(instruction->opcode == PTX_OP_SLCT || instruction->opcode == PTX_OP_SET)) {
        return false;
    }
    return instruction->rounding == PTX_ROUND_NONE &&
           (flags & (PTX_FLAG_APPROX | PTX_FLAG_FULL)) == 0 &&
           ((flags & PTX_FLAG_SAT) == 0 ||
            (instruction->type == PTX_S32 && (flags & PTX_FLAG_CC) == 0));
}

/* cvt.pack: two integers of 32 bits become numbers of fewer bits. */
static bool pack_agrees(const struct ptx_instruction *instruction)
{
    static const uint32_t types = UINT32_C(1) << PTX_S2 | UINT32_C(1) << PTX_U2 |
                                  UINT32_C(1) << PTX_S4 | UINT32_C(1) << PTX_U4 |
                                  UINT32_C(1) << PTX_S8 | UINT32_C(1) << PTX_U8 |
                                  UINT32_C(1) << PTX_S16 | UINT32_C(1) << PTX_U16;

    return (types >> instruction->type & 1) != 0 && instruction->source_type == PTX_S32 &&
           instruction->rounding == PTX_ROUND_NONE && instruction->flags == PTX_FLAG_SAT;
}

/* cvt of a type of its own, or with .satfinite: rounding and flags that go together. */
static bool narrow_conversion_agrees(const struct ptx_instruction *instruction)
{
    enum { RELU = PTX_FLAG_RELU, FINITE = PTX_FLAG_SATFINITE, NEAREST = 1 << PTX_ROUND_RN };
    static const struct {
        uint8_t to, from, roundings;
        uint32_t needs, allows;
    } rows[] = {
        {PTX_TF32, PTX_F32, 1 << PTX_ROUND_RNA, 0, FINITE},
        {PTX_TF32, PTX_F32, NEAREST | 1 << PTX_ROUND_RZ, 0, RELU},
        {PTX_F16, PTX_F32, NEAREST | 1 << PTX_ROUND_RZ, FINITE, RELU},
        {PTX_BF16, PTX_F32, NEAREST | 1 << PTX_ROUND_RZ, FINITE, RELU},
        {PTX_F16X2, PTX_F32, NEAREST | 1 << PTX_ROUND_RZ, FINITE, RELU},
        {PTX_BF16X2, PTX_F32, NEAREST | 1 << PTX_ROUND_RZ, FINITE, RELU},
        {PTX_E4M3X2, PTX_F32, NEAREST, FINITE, RELU},
        {PTX_E5M2X2, PTX_F32, NEAREST, FINITE, RELU},
        {PTX_E4M3X2, PTX_F16X2, NEAREST, FINITE, RELU},
        {PTX_E5M2X2, PTX_F16X2, NEAREST, FINITE, RELU},
        {PTX_F16X2, PTX_E4M3X2, NEAREST, 0, RELU},
        {PTX_F16X2, PTX_E5M2X2, NEAREST, 0, RELU},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].to == instruction->type && rows[i].from == instruction->source_type &&
            (rows[i].roundings >> instruction->rounding & 1) != 0 &&
            (instruction->flags & rows[i].needs) == rows[i].needs &&
            (instruction->flags & ~(rows[i].needs | rows[i].allows)) == 0) {
            return true;
        }
    }
    return false;
}

/* cvt: from and to float need a rounding unless nothing is lost. */
static bool conversion_agrees(const struct ptx_instruction *instruction)
{
    bool from_float = ptx_type_is_float((enum ptx_type)instruction->source_type);
    size_t source_bytes = ptx_type_bytes((enum ptx_type)instruction->source_type);

    if (instruction->sub == PTX_SUB_PACK) {
        return pack_agrees(instruction);
    }
    if (instruction->type >= PTX_TF32 || instruction->source_type >= PTX_TF32 ||
        (instruction->flags & PTX_FLAG_SATFINITE) != 0) {
        return narrow_conversion_agrees(instruction);
    }
    if (instruction->type == PTX_B8 || instruction->source_type == PTX_B8 ||
        ((instruction->flags & PTX_FLAG_RELU) != 0 &&
         (!is_half(instruction) || instruction->source_type != PTX_F32))) {
        return false;
    }
    if (!from_float && !is_float(instruction)) {
        return instruction->rounding == PTX_ROUND_NONE && (instruction->flags & PTX_FLAG_FTZ) == 0;
    }
    if (!from_float) {
        return rounds_to_float(instruction);
    }
    if (!is_float(instruction)) {
        return rounds_to_integer(instruction);
    }
    if (instruction->type == instruction->source_type) {
        return instruction->rounding == PTX_ROUND_NONE || rounds_to_integer(instruction);
    }
    return bytes_of(instruction) > source_bytes ? instruction->rounding == PTX_ROUND_NONE
                                                : rounds_to_float(instruction);
}

/* atom and red: which types an operation has, and which spaces. */
static bool atomic_agrees(const struct ptx_instruction *instruction)
{
    enum ptx_type type = (enum ptx_type)instruction->type;
    bool is_integer = !is_float(instruction) && type >= PTX_U8;
    bool is_bits = type == PTX_B16 || type == PTX_B32 || type == PTX_B64;

    if (instruction->space > PTX_SPACE_SHARED) {
        return false;
    }
    switch (instruction->sub) {
    case PTX_SUB_AND:
    case PTX_SUB_OR:
    case PTX_SUB_XOR:
        return is_bits && type != PTX_B16;
    case PTX_SUB_EXCH:
        return is_bits && type != PTX_B16 && instruction->opcode == PTX_OP_ATOM;
    case PTX_SUB_CAS:
        return is_bits && instruction->opcode == PTX_OP_ATOM;
    case PTX_SUB_MIN:
    case PTX_SUB_MAX:
        return is_integer && bytes_of(instruction) >= 4;
    case PTX_SUB_INC:
    case PTX_SUB_DEC:
        return type == PTX_U32;
    case PTX_SUB_ADD:
        return is_float(instruction) || type == PTX_U32 || type == PTX_S32 || type == PTX_U64;
    default:
        return false;
    }
}

static bool barrier_agrees(const struct ptx_instruction *instruction)
{
    switch (instruction->sub) {
    case PTX_SUB_SYNC:
    case PTX_SUB_ARRIVE:
    case PTX_SUB_WARP_SYNC:
        return instruction->type == PTX_TYPE_NONE;
    case PTX_SUB_POPC:
        return instruction->type == PTX_U32;
    case PTX_SUB_AND:
    case PTX_SUB_OR:
        return instruction->type == PTX_PRED;
    default:
        return false;
    }
}

static bool redux_agrees(const struct ptx_instruction *instruction)
{
    switch (instruction->sub) {
    case PTX_SUB_AND:
    case PTX_SUB_OR:
    case PTX_SUB_XOR:
        return instruction->type == PTX_B32;
    case PTX_SUB_ADD:
    case PTX_SUB_MIN:
    case PTX_SUB_MAX:
        return instruction->type != PTX_B32;
    default:
        return false;
    }
}

/* cp.async: only an arrival has a type, and it names shared memory; a copy ends in global memory.
 */
static bool copy_agrees(const struct ptx_instruction *instruction)
{
    bool arrives = instruction->sub == PTX_SUB_ARRIVE;

    if (arrives != (instruction->type == PTX_B64)) {
        return false;
    }
    if (arrives) {
        return instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_GENERIC;
    }
    return (instruction->flags & PTX_FLAG_NOINC) == 0 &&
           instruction->space ==
               (instruction->sub == PTX_SUB_NONE ? PTX_SPACE_GLOBAL : PTX_SPACE_GENERIC);
}

/* sured: bytes are added up or compared as integers, bits are joined; what is in a texel is an
 * integer of 32 bits whose sign its format has. */
static bool reduction_agrees(const struct ptx_instruction *instruction)
{
    const enum ptx_suboperation sub = (enum ptx_suboperation)instruction->sub;
    const bool is_sum = sub == PTX_SUB_ADD;
    const bool is_extreme = sub == PTX_SUB_MIN || sub == PTX_SUB_MAX;
    const bool is_logic = sub == PTX_SUB_AND || sub == PTX_SUB_OR;

    if (instruction->geometry >= PTX_GEOMETRY_A1D || (!is_sum && !is_extreme && !is_logic)) {
        return false;
    }
    if ((instruction->flags & PTX_FLAG_TEXELS) != 0 || is_logic) {
        return instruction->type == PTX_B32;
    }
    return instruction->type != PTX_B32 && bytes_of(instruction) >= 4 &&
           (is_extreme || instruction->type != PTX_S64);
}

/* Textures are read at numbers of one type, four channels at once; a surface names its bounds. */
static bool texture_agrees(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_TEX:
        return instruction->vector == 4 &&
               (instruction->source_type == PTX_F32 ||
                (instruction->source_type == PTX_S32 && instruction->sub == PTX_SUB_NONE));
    case PTX_OP_TLD4:
        return instruction->vector == 4 && instruction->source_type == PTX_F32 &&
               instruction->geometry == PTX_GEOMETRY_2D;
    case PTX_OP_TXQ:
        return instruction->sub != PTX_SUB_NONE;
    case PTX_OP_SUQ:
        return instruction->sub != PTX_SUB_NONE && instruction->sub <= PTX_SUB_ARRAY_SIZE;
    case PTX_OP_SURED:
        return instruction->border != PTX_BORDER_NONE && reduction_agrees(instruction);
    default:
        return instruction->border != PTX_BORDER_NONE &&
               instruction->geometry < PTX_GEOMETRY_CUBE &&
               ((instruction->flags & PTX_FLAG_TEXELS) == 0 || instruction->type == PTX_B32);
    }
}

static bool agrees(const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->flags;

    switch (instruction->opcode) {
    case PTX_OP_CVT:
        return conversion_agrees(instruction);
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return atomic_agrees(instruction);
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        return barrier_agrees(instruction);
    case PTX_OP_REDUX:
        return redux_agrees(instruction);
    case PTX_OP_CP:
        return copy_agrees(instruction);
    case PTX_OP_MBARRIER:
        return instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_GENERIC;
    case PTX_OP_TEX:
    case PTX_OP_TLD4:
    case PTX_OP_SULD:
    case PTX_OP_SUST:
    case PTX_OP_SURED:
    case PTX_OP_TXQ:
    case PTX_OP_SUQ:
        return texture_agrees(instruction);
    case PTX_OP_MATCH:
        return instruction->sub == PTX_SUB_ALL || instruction->sub == PTX_SUB_ANY;
    case PTX_OP_VOTE:
        return (instruction->sub == PTX_SUB_BALLOT) == (instruction->type == PTX_B32);
    case PTX_OP_SET:
    case PTX_OP_SETP:
        return instruction->sub != PTX_SUB_POPC && arithmetic_agrees(instruction);
    case PTX_OP_SHF:
        return (flags & (PTX_FLAG_CLAMP | PTX_FLAG_WRAP)) != 0;
    case PTX_OP_LD:
        return (flags & PTX_FLAG_NC) == 0 || instruction->space == PTX_SPACE_GLOBAL;
    case PTX_OP_LDU:
        return instruction->space == PTX_SPACE_GLOBAL || instruction->space == PTX_SPACE_GENERIC;
    case PTX_OP_ST:
        return instruction->space != PTX_SPACE_CONST;
    case PTX_OP_SLCT:
        return instruction->source_type == PTX_S32 || instruction->source_type == PTX_F32;
    case PTX_OP_WMMA:
    case PTX_OP_MMA:
        return true; /* ptx_matrix_finish() decides */
    case PTX_OP_DP4A:
    case PTX_OP_DP2A:
        return instruction->source_type == PTX_U32 || instruction->source_type == PTX_S32;
    default:
        return widths_agree(instruction) && arithmetic_agrees(instruction);
    }
}

static void set_field(struct ptx_instruction *instruction, const struct ptx_modifier_row *row)
{
    switch (row->field) {
    case PTX_FIELD_FLAGS:
        instruction->flags |= row->value;
        break;
    case PTX_FIELD_ROUNDING:
        instruction->rounding = (uint8_t)row->value;
        break;
    case PTX_FIELD_COMPARE:
        instruction->compare = (uint8_t)row->value;
        break;
    case PTX_FIELD_SPACE:
        instruction->space = (uint8_t)row->value;
        break;
    case PTX_FIELD_VECTOR:
        instruction->vector = (uint8_t)row->value;
        break;
    case PTX_FIELD_SCOPE:
        instruction->memory_scope = (uint8_t)row->value;
        break;
    case PTX_FIELD_SUB: /* "bar.warp.sync" stays what its first word says */
        if (instruction->sub != PTX_SUB_WARP_SYNC) {
            instruction->sub = (uint8_t)row->value;
        }
        break;
    case PTX_FIELD_GEOMETRY:
        instruction->geometry = (uint8_t)row->value;
        break;
    case PTX_FIELD_BORDER:
        instruction->border = (uint8_t)row->value;
        break;
    case PTX_FIELD_NONE:
        break;
    }
}

/* The only type that a third type word may have. */
static uint8_t third_type(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_CVT:
        return instruction->sub == PTX_SUB_PACK ? PTX_B32 : PTX_TYPE_NONE;
    case PTX_OP_VSHL:
    case PTX_OP_VSHR:
        return PTX_U32;
    default:
        return instruction->source_type;
    }
}

/* Takes one word behind the first; *seen collects the classes. False if it is not allowed. */
static bool take_word(struct ptx_instruction *instruction, const char *word, size_t length,
                      uint64_t *seen)
{
    const struct ptx_opcode_row *row = ptx_opcode_row((enum ptx_opcode)instruction->opcode);
    enum ptx_type type = instruction->opcode == PTX_OP_CVT ? ptx_element_type_find(word, length)
                                                           : ptx_type_find(word, length);
    uint8_t third = third_type(instruction);

    if ((row->modifiers & PTX_CLASS_MATRIX) != 0) {
        return ptx_matrix_word(instruction, word, length, seen);
    }
    if (type != PTX_TYPE_NONE && instruction->type == PTX_TYPE_NONE) {
        instruction->type = (uint8_t)type;
        return (row->types >> type & 1) != 0;
    }
    if (type != PTX_TYPE_NONE && type == (enum ptx_type)third &&
        instruction->source_type != PTX_TYPE_NONE &&
        (row->modifiers & ~*seen & PTX_CLASS_TYPE3) != 0) {
        *seen |= PTX_CLASS_TYPE3;
        return true;
    }
    if (type != PTX_TYPE_NONE) {
        bool is_second = instruction->source_type == PTX_TYPE_NONE && type != PTX_PRED;
        instruction->source_type = (uint8_t)type;
        *seen |= PTX_CLASS_TYPE2;
        return is_second && (row->modifiers & PTX_CLASS_TYPE2) != 0;
    }
    const struct ptx_modifier_row *modifier = ptx_modifier_find(word, length, row->modifiers);
    if (modifier == NULL) {
        return false;
    }
    *seen |= modifier->class;
    set_field(instruction, modifier);
    return true;
}

static struct ptx_instruction take_apart(struct ptx_parser *parser,
                                         const struct ptx_token *mnemonic)
{
    struct ptx_instruction unknown = {.opcode = PTX_OP_UNKNOWN, .vector = 1, .guard = -1};
    struct ptx_instruction instruction = unknown;
    const char *end = mnemonic->start + mnemonic->length;
    const char *word = mnemonic->start;
    uint64_t seen = 0;
    bool is_first = true;

    while (word <= end) {
        const char *dot = memchr(word, '.', (size_t)(end - word));
        size_t length = (size_t)((dot != NULL ? dot : end) - word);

        if (is_first) {
            instruction.opcode = (uint16_t)ptx_opcode_find(word, length);
        } else if (!take_word(&instruction, word, length, &seen)) {
            return unknown;
        }
        if (instruction.opcode == PTX_OP_UNKNOWN) {
            return unknown;
        }
        is_first = false;
        word += length + 1;
    }
    const struct ptx_opcode_row *row = ptx_opcode_row((enum ptx_opcode)instruction.opcode);
    bool only_widths = (row->required & ~(uint64_t)WIDTHS) == 0;
    if ((row->required != 0 && (row->required & seen) == 0 &&
         !(only_widths && is_float(&instruction))) ||
        (row->types >> instruction.type & 1) == 0 || !agrees(&instruction) ||
        ((row->modifiers & PTX_CLASS_MATRIX) != 0 && !ptx_matrix_finish(&instruction, seen))) {
        return unknown;
    }
    if (instruction.opcode == PTX_OP_BAR) {
        instruction.flags |= PTX_FLAG_ALIGNED;
    }
    for (size_t i = 0; i < PTX_OPERANDS_MAX; i++) {
        instruction.operands[i].reg = -1;
        instruction.operands[i].symbol = -1;
    }
    instruction.text = arena_strndup(parser->arena, mnemonic->start, mnemonic->length);
    return instruction;
}

const struct ptx_instruction *ptx_find_mnemonic(struct ptx_parser *parser,
                                                const struct ptx_token *word)
{
    const struct ptx_name *known = ptx_names_find(&parser->mnemonics, word->start, word->length);

    if (known != NULL) {
        return &parser->templates[known->index];
    }
    arena_grow(parser->scratch, &parser->templates, &parser->template_capacity,
               parser->template_count + 1, sizeof *parser->templates);
    parser->templates[parser->template_count] = take_apart(parser, word);
    ptx_names_add(&parser->mnemonics, word->start, word->length, PTX_NAME_MNEMONIC,
                  parser->template_count);
    return &parser->templates[parser->template_count++];
}
