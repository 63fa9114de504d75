/* ptx_match.c: operands against what the opcode allows (columns of opcodes.def).
 *
 * A pattern is a list of groups of two letters, form and type. Operands are taken from left to
 * right; where fewer are written than the pattern has, its optional groups go without, the last
 * ones first. After that come the rules that concern more than one operand.
 */
#include "ptx/ptx_matrix.h"
#include "ptx/ptx_parser.h"

#include <string.h>

enum { GROUPS_MAX = 8 };

/* What an operand must be. */
struct group {
    char form;
    char type;
    bool is_optional;
};

struct need {
    enum ptx_type type; /* PTX_TYPE_NONE: an address in 4 or 8 bytes */
    bool may_be_wider;
};

static enum ptx_type twice_as_wide(enum ptx_type type)
{
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    case PTX_S32:
        return PTX_S64;
    default:
        return type;
    }
}

static struct need need_of(const struct ptx_instruction *instruction, char letter)
{
    enum ptx_type type = (enum ptx_type)instruction->type;
    enum ptx_type second = (enum ptx_type)instruction->source_type;

    switch (letter) {
    case 'r':
        return (struct need){type, true};
    case 's':
        return (struct need){second != PTX_TYPE_NONE ? second : type, false};
    case 'e':
        return (struct need){second != PTX_TYPE_NONE ? second : type, true};
    case 'w':
        return (struct need){(instruction->flags & PTX_FLAG_WIDE) != 0 ? twice_as_wide(type) : type,
                             false};
    case 'u':
        return (struct need){PTX_U32, false};
    case 'p':
        return (struct need){PTX_PRED, false};
    case 'x':
        return (struct need){PTX_TYPE_NONE, false};
    default:
        return (struct need){type, false};
    }
}

static bool register_fits(enum ptx_type type, struct need need)
{
    size_t bytes = ptx_type_bytes(type);

    if (need.type == PTX_PRED || type == PTX_PRED) {
        return need.type == type;
    }
    if (need.type == PTX_TYPE_NONE) {
        return (bytes == 4 || bytes == 8) && !ptx_type_is_float(type);
    }
    return bytes == ptx_type_bytes(need.type) ||
           (need.may_be_wider && bytes > ptx_type_bytes(need.type));
}

static uint64_t float_to_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_to_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A number with the bits of a float or a double, as one of the two types. */
static bool convert_float(const struct ptx_raw_operand *raw, enum ptx_type type, uint64_t *out_bits)
{
    bool is_double = raw->literal_kind == PTX_TOKEN_FLOAT64;
    uint32_t float_bits = (uint32_t)raw->literal_bits;
    float single_value;
    double double_value;

    memcpy(&single_value, &float_bits, sizeof single_value);
    memcpy(&double_value, &raw->literal_bits, sizeof double_value);
    if (type == PTX_F32 || (type == PTX_B32 && !is_double)) {
        *out_bits = is_double ? float_to_bits((float)double_value) : float_bits;
        *out_bits ^= raw->is_negative ? UINT64_C(1) << 31 : 0;
        return true;
    }
    if (type == PTX_F64 || (type == PTX_B64 && is_double)) {
        *out_bits = is_double ? raw->literal_bits : double_to_bits((double)single_value);
        *out_bits ^= raw->is_negative ? UINT64_C(1) << 63 : 0;
        return true;
    }
    return false;
}

bool ptx_convert_literal(const struct ptx_raw_operand *raw, enum ptx_type type, uint64_t *out_bits)
{
    uint64_t value = raw->is_negative ? 0 - raw->literal_bits : raw->literal_bits;
    size_t bytes = ptx_type_bytes(type);

    if (raw->literal_kind != PTX_TOKEN_INTEGER) {
        return convert_float(raw, type, out_bits);
    }
    if (ptx_type_is_float(type)) {
        return false;
    }
    if (type == PTX_PRED) {
        *out_bits = value != 0;
        return true;
    }
    *out_bits = bytes == 0 || bytes >= 8 ? value : value & ((UINT64_C(1) << (8 * bytes)) - 1);
    return true;
}

/* A destination: a register or "_". */
static bool fits_destination(const struct ptx_raw_operand *raw, struct need need)
{
    if (raw->operand.kind == PTX_OPERAND_SINK) {
        return true;
    }
    return raw->operand.kind == PTX_OPERAND_REGISTER && !raw->operand.negated &&
           register_fits(raw->register_type, need);
}

/* A source: a register, an immediate or a special register. Immediates get their bits. */
static bool fits_source(struct ptx_raw_operand *raw, struct need need)
{
    if (raw->operand.negated) {
        return false;
    }
    switch (raw->operand.kind) {
    case PTX_OPERAND_REGISTER:
        return register_fits(raw->register_type, need);
    case PTX_OPERAND_IMMEDIATE:
        return ptx_convert_literal(raw, need.type, &raw->operand.bits);
    case PTX_OPERAND_SPECIAL:
        return need.type != PTX_PRED;
    default:
        return false;
    }
}

/* The elements of a vector, of the instruction's type; for mov without .v2 or .v4 of a part of it.
 */
static bool fits_vector(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                        struct ptx_raw_operand *raw, const struct ptx_instruction *instruction,
                        bool is_destination)
{
    static const enum ptx_type bits_of[9] = {
        [1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    struct need need = need_of(instruction, 'r');
    size_t count = raw->operand.element_count;
    struct ptx_operand elements[PTX_VECTOR_MAX];

    if (instruction->opcode == PTX_OP_MOV && instruction->vector == 1) {
        if (count != 2 && count != 4) {
            return false;
        }
        need.type = bits_of[ptx_type_bytes(need.type) / count];
        need.may_be_wider = false;
    } else if (count != instruction->vector) {
        return false;
    }
    if (need.type == PTX_TYPE_NONE) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct ptx_raw_operand *element = &operands->elements[raw->operand.element_first + i];
        if (is_destination ? !fits_destination(element, need) : !fits_source(element, need)) {
            return false;
        }
        elements[i] = element->operand;
    }
    raw->operand.element_first = (uint32_t)ptx_add_elements(parser, elements, count);
    return true;
}

/* A fragment of a matrix: as many registers as it has, in elements that stay as they are. */
static bool fits_fragment(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                          struct ptx_raw_operand *raw, const struct ptx_instruction *instruction,
                          char letter)
{
    struct ptx_fragment fragment = ptx_matrix_fragment(instruction, letter);
    struct need need = {fragment.bits == 64 ? PTX_B64 : PTX_B32, false};
    bool is_destination = letter == 'd' || (letter == 'l' && !ptx_matrix_is_store(instruction));
    struct ptx_operand elements[PTX_VECTOR_MAX];

    if (raw->operand.kind != PTX_OPERAND_VECTOR ||
        raw->operand.element_count != fragment.registers) {
        return false;
    }
    for (size_t i = 0; i < fragment.registers; i++) {
        struct ptx_raw_operand *element = &operands->elements[raw->operand.element_first + i];
        if (is_destination ? !fits_destination(element, need) : !fits_source(element, need)) {
            return false;
        }
        elements[i] = element->operand;
    }
    raw->operand.element_first = (uint32_t)ptx_add_elements(parser, elements, fragment.registers);
    return true;
}

/* Coordinates: registers or immediates of 32 bits; layers are u32. */
static bool fits_coordinates(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                             struct ptx_raw_operand *raw, const struct ptx_instruction *instruction,
                             char type)
{
    bool has_layer = raw->is_inside && (instruction->geometry == PTX_GEOMETRY_A1D ||
                                        instruction->geometry == PTX_GEOMETRY_A2D ||
                                        instruction->geometry == PTX_GEOMETRY_ACUBE);
    size_t count = raw->operand.element_count;
    struct ptx_operand elements[PTX_VECTOR_MAX];

    for (size_t i = 0; i < count; i++) {
        struct ptx_raw_operand *element = &operands->elements[raw->operand.element_first + i];
        if (!fits_source(element, need_of(instruction, has_layer && i == 0 ? 'u' : type))) {
            return false;
        }
        elements[i] = element->operand;
    }
    raw->operand.element_first = (uint32_t)ptx_add_elements(parser, elements, count);
    return true;
}

/* The address of a variable or a function, for mov, cvta and what takes addresses. */
static bool fits_address(const struct ptx_raw_operand *raw,
                         const struct ptx_instruction *instruction)
{
    size_t bytes = ptx_type_bytes((enum ptx_type)instruction->type);

    if (raw->operand.kind != PTX_OPERAND_SYMBOL || raw->operand.negated ||
        (bytes != 4 && bytes != 8) || ptx_type_is_float((enum ptx_type)instruction->type)) {
        return false;
    }
    return instruction->opcode != PTX_OP_CVTA ||
           (raw->operand.scope != PTX_SCOPE_CODE && raw->symbol_space == instruction->space &&
            (instruction->flags & PTX_FLAG_TO) == 0);
}

/* An address in brackets: its symbol lies in the space of the instruction. */
static bool fits_memory(const struct ptx_raw_operand *raw,
                        const struct ptx_instruction *instruction, enum ptx_space space)
{
    const struct ptx_operand *operand = &raw->operand;
    bool is_param = space == PTX_SPACE_PARAM;

    if (operand->kind != PTX_OPERAND_MEMORY) {
        return false;
    }
    if (operand->reg >= 0) {
        return register_fits(raw->register_type, (struct need){PTX_TYPE_NONE, false});
    }
    if (operand->symbol < 0) {
        return !is_param;
    }
    if (raw->symbol_space != space &&
        !(space == PTX_SPACE_GENERIC && raw->symbol_space == PTX_SPACE_GLOBAL)) {
        return false;
    }
    if (!is_param) {
        return true;
    }
    uint64_t bytes = ptx_type_bytes((enum ptx_type)instruction->type) * instruction->vector;
    bool writes_input = instruction->opcode == PTX_OP_ST && operand->scope == PTX_SCOPE_PARAMETER;
    return !writes_input && bytes <= raw->symbol_bytes && operand->offset >= 0 &&
           (uint64_t)operand->offset <= raw->symbol_bytes - bytes;
}

static bool fits(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                 struct ptx_raw_operand *raw, const struct ptx_instruction *instruction,
                 struct group group)
{
    struct need need = need_of(instruction, group.type);
    bool is_vector = raw->operand.kind == PTX_OPERAND_VECTOR;

    /* an object is a number; names are those of references, which CUDA no longer has */
    if (raw->is_inside != (group.form == 'c') || (raw->is_open && raw->operand.symbol >= 0)) {
        return false;
    }
    switch (group.form) {
    case 'd':
    case 'q':
        return fits_destination(raw, need);
    case 'D':
        return is_vector ? fits_vector(parser, operands, raw, instruction, true)
                         : fits_destination(raw, need);
    case 's':
        return fits_source(raw, need);
    case 'S':
        return is_vector ? fits_vector(parser, operands, raw, instruction, false)
                         : fits_source(raw, need);
    case 'a':
        return is_vector ? fits_vector(parser, operands, raw, instruction, false)
                         : fits_source(raw, need) || fits_address(raw, instruction);
    case 'p':
        return raw->operand.kind == PTX_OPERAND_IMMEDIATE
                   ? ptx_convert_literal(raw, PTX_PRED, &raw->operand.bits)
                   : raw->operand.kind == PTX_OPERAND_REGISTER && raw->register_type == PTX_PRED;
    case 'i':
        return raw->operand.kind == PTX_OPERAND_IMMEDIATE && fits_source(raw, need);
    case 'm':
        return fits_memory(raw, instruction, (enum ptx_space)instruction->space);
    case 'f':
        return fits_fragment(parser, operands, raw, instruction, group.type);
    case 'k':
        return fits_memory(raw, instruction, PTX_SPACE_SHARED);
    case 'c':
    case 'v':
        return is_vector && fits_coordinates(parser, operands, raw, instruction, group.type);
    default:
        return false;
    }
}

/* Reads the groups of a pattern up to its end or a bar; returns where it stopped. */
static const char *read_groups(const char *pattern, struct group groups[GROUPS_MAX],
                               size_t *out_count)
{
    size_t count = 0;

    while (*pattern != '\0' && *pattern != '|') {
        struct group group = {.is_optional = *pattern == '?'};

        pattern += group.is_optional;
        group.form = pattern[0];
        group.type = pattern[1];
        groups[count++] = group;
        pattern += 2;
        pattern += *pattern == ' ';
    }
    *out_count = count;
    return pattern;
}

static bool match_groups(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                         struct ptx_instruction *instruction, const struct group *groups,
                         size_t group_count)
{
    size_t spare = operands->count;
    size_t next = 0;
    size_t placed = 0;

    for (size_t i = 0; i < operands->count; i++) {
        spare -= operands->items[i].is_second;
    }
    for (size_t i = 0; i < group_count; i++) {
        bool is_due = !groups[i].is_optional && groups[i].form != 'q';
        if (is_due && spare == 0) {
            return false;
        }
        spare -= is_due;
    }
    for (size_t i = 0; i < group_count; i++) {
        struct ptx_raw_operand *raw = next < operands->count ? &operands->items[next] : NULL;

        if (groups[i].form == 'q' && (raw == NULL || !raw->is_second)) {
            instruction->operands[placed++] =
                (struct ptx_operand){.kind = PTX_OPERAND_SINK, .reg = -1, .symbol = -1};
            continue;
        }
        if (groups[i].is_optional && spare == 0) {
            continue;
        }
        spare -= groups[i].is_optional;
        if (raw == NULL || raw->is_second != (groups[i].form == 'q') ||
            !fits(parser, operands, raw, instruction, groups[i])) {
            return false;
        }
        instruction->operands[placed++] = raw->operand;
        next++;
    }
    instruction->operand_count = (uint8_t)placed;
    return next == operands->count;
}

/* mov takes a vector on one side, or with a vector word on both; ld and st take one where such a
 * word stands. */
static bool vectors_agree(const struct ptx_instruction *instruction)
{
    size_t vectors = 0;

    for (size_t i = 0; i < instruction->operand_count; i++) {
        vectors += instruction->operands[i].kind == PTX_OPERAND_VECTOR;
    }
    if (instruction->opcode == PTX_OP_MOV) {
        return instruction->vector == 1 ? vectors <= 1 : vectors == 2;
    }
    return vectors == (instruction->vector > 1);
}

/* What each form of mbarrier has: an address, and a result or not. */
static bool mbarrier_agrees(const struct ptx_instruction *instruction)
{
    size_t count = instruction->operand_count;
    const struct ptx_operand *operands = instruction->operands;

    switch (instruction->sub) {
    case PTX_SUB_INIT:
        return count == 2 && operands[0].kind == PTX_OPERAND_MEMORY;
    case PTX_SUB_INVAL:
        return count == 1;
    case PTX_SUB_ARRIVE:
    case PTX_SUB_ARRIVE_DROP:
        return count >= 2 && operands[1].kind == PTX_OPERAND_MEMORY;
    case PTX_SUB_TEST_WAIT:
    case PTX_SUB_PARITY:
        return count == 3;
    default:
        return count == 2 && operands[0].kind != PTX_OPERAND_MEMORY;
    }
}

/* How many operands cvt has: two numbers become a pair, and cvt.pack of bytes and less moves a
 * third one up. */
static size_t conversion_operands(const struct ptx_instruction *instruction)
{
    if (instruction->sub == PTX_SUB_PACK) {
        return ptx_type_bytes((enum ptx_type)instruction->type) == 2 ? 3 : 4;
    }
    return instruction->source_type == PTX_F32 &&
                   ptx_type_element((enum ptx_type)instruction->type) != instruction->type
               ? 3
               : 2;
}

/* Rules that concern the number of operands. */
static bool count_agrees(const struct ptx_instruction *instruction)
{
    size_t count = instruction->operand_count;

    switch (instruction->opcode) {
    case PTX_OP_MOV:
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
        return vectors_agree(instruction);
    case PTX_OP_CVT:
        return count == conversion_operands(instruction);
    case PTX_OP_ATOM:
        return (count == 4) == (instruction->sub == PTX_SUB_CAS);
    case PTX_OP_SETP:
        return (count == 5) == (instruction->sub != PTX_SUB_NONE);
    case PTX_OP_SET:
        return (count == 4) == (instruction->sub != PTX_SUB_NONE);
    case PTX_OP_TEX:
        return count == (instruction->sub == PTX_SUB_GRAD    ? 6
                         : instruction->sub == PTX_SUB_LEVEL ? 5
                                                             : 4);
    case PTX_OP_TXQ: /* a level has a size alone */
        return count == 2 || instruction->sub <= PTX_SUB_DEPTH;
    case PTX_OP_MATCH:
        return instruction->sub == PTX_SUB_ALL || instruction->operands[1].kind == PTX_OPERAND_SINK;
    case PTX_OP_CP:
        return instruction->sub == PTX_SUB_NONE ? count >= 3
                                                : count == (instruction->sub == PTX_SUB_ARRIVE ||
                                                            instruction->sub == PTX_SUB_WAIT_GROUP);
    case PTX_OP_MBARRIER:
        return mbarrier_agrees(instruction);
    case PTX_OP_WMMA:
        return ptx_matrix_has_form(instruction);
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        switch (instruction->sub) {
        case PTX_SUB_SYNC:
            return count <= 2;
        case PTX_SUB_ARRIVE:
            return count == 2;
        case PTX_SUB_WARP_SYNC:
            return count == 1;
        default:
            return count >= 3;
        }
    default:
        return true;
    }
}

bool ptx_match_operands(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                        struct ptx_instruction *instruction)
{
    const char *pattern = ptx_opcode_row((enum ptx_opcode)instruction->opcode)->operands;
    size_t elements = parser->body.element_count;

    for (;;) {
        struct group groups[GROUPS_MAX];
        size_t count;

        pattern = read_groups(pattern, groups, &count);
        if (match_groups(parser, operands, instruction, groups, count) &&
            count_agrees(instruction)) {
            return true;
        }
        parser->body.element_count = elements;
        if (*pattern != '|') {
            return false;
        }
        pattern++;
    }
}
