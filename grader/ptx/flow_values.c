/* flow_values.c: see flow_values.h. */
#include "ptx/flow_values.h"

#include <string.h>

/* The forms of operands, by opcode: opcodes.def. */
static const char *const operand_forms[PTX_OPCODE_COUNT] = {
#define PTX_OPCODE(name, text, operands, ...) operands,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

enum { ROUNDS_MAX = 64, PRODUCTS_IN_A_ROW = 3 };

struct finding {
    const struct ptx_function *function;
    struct flow_definition *definitions; /* [register_count] */
    bool loads_pointers;
    bool *is_marked; /* [instruction_count] of one round of find_varying() */
    bool is_changed; /* in one round */
};

bool flow_is_destination(const struct ptx_instruction *instruction, size_t place)
{
    const char *forms = operand_forms[instruction->opcode];

    if (place == 0) {
        return forms[0] == 'd' || forms[0] == 'D';
    }
    return place == 1 && strlen(forms) > 3 && (forms[3] == 'q' || forms[3] == 'd');
}

static void visit_operand(const struct ptx_function *function, size_t index,
                          const struct ptx_operand *operand, flow_visitor *visitor, void *context)
{
    const struct ptx_operand *parts = operand;
    uint32_t count = 1;

    if (operand->kind == PTX_OPERAND_VECTOR) {
        parts = &function->elements[operand->element_first];
        count = operand->element_count;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].reg >= 0 &&
            (parts[i].kind == PTX_OPERAND_REGISTER || parts[i].kind == PTX_OPERAND_MEMORY)) {
            visitor(context, index, parts[i].reg, parts[i].kind == PTX_OPERAND_MEMORY);
        }
    }
}

void flow_visit(const struct ptx_function *function, size_t index, bool writes,
                flow_visitor *visitor, void *context)
{
    const struct ptx_instruction *instruction = &function->instructions[index];
    const uint32_t first = writes ? instruction->returns_first : instruction->arguments_first;
    const uint32_t count = writes ? instruction->returns_count : instruction->arguments_count;

    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        if (flow_is_destination(instruction, i) == writes) {
            visit_operand(function, index, &instruction->operands[i], visitor, context);
        }
    }
    if (!writes && instruction->guard >= 0) {
        visitor(context, index, instruction->guard, false);
    }
    for (uint32_t i = 0; i < count; i++) {
        visit_operand(function, index, &function->elements[first + i], visitor, context);
    }
}

int32_t flow_root(struct flow_definition *definitions, int32_t reg)
{
    while (definitions[reg].same_as != reg) {
        definitions[reg].same_as = definitions[definitions[reg].same_as].same_as;
        reg = definitions[reg].same_as;
    }
    return reg;
}

static void note_write(void *context, size_t index, int32_t reg, bool is_base)
{
    struct finding *finding = context;

    (void)index;
    (void)is_base;
    finding->definitions[reg].write_count++;
}

static void note_read(void *context, size_t index, int32_t reg, bool is_base)
{
    struct finding *finding = context;

    (void)index;
    finding->definitions[reg].is_other_use |= !is_base;
    finding->definitions[reg].uses++;
}

/* The register that an instruction writes always and nothing else writes; -1: none. */
static int32_t only_result(const struct finding *finding, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = &instruction->operands[0];

    return instruction->guard < 0 && instruction->operand_count > 0 &&
                   to->kind == PTX_OPERAND_REGISTER && flow_is_destination(instruction, 0) &&
                   finding->definitions[to->reg].write_count == 1
               ? to->reg
               : -1;
}

/* Lets a result have the value of an operand, if that register never changes. */
static void join(struct finding *finding, int32_t result, const struct ptx_operand *operand)
{
    const int32_t from = operand->kind == PTX_OPERAND_REGISTER
                             ? flow_root(finding->definitions, operand->reg)
                             : result;

    if (from != result && finding->definitions[from].write_count == 1) {
        finding->definitions[result].same_as = from;
    }
}

/* Copies and constants **************************************************************************/

static bool is_integer(const struct ptx_instruction *instruction)
{
    return !ptx_type_is_float(instruction->type) && ptx_type_bytes(instruction->type) >= 2;
}

static bool passes_on(const struct finding *finding, const struct ptx_instruction *instruction)
{
    const struct ptx_register *registers = finding->function->registers;
    const struct ptx_operand *operands = instruction->operands;

    if (instruction->operand_count < 2 || operands[1].kind != PTX_OPERAND_REGISTER) {
        return false;
    }
    switch (instruction->opcode) {
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
        return true;
    case PTX_OP_CVT:
        return ptx_type_bytes(registers[operands[0].reg].type) <=
                   ptx_type_bytes(registers[operands[1].reg].type) &&
               !ptx_type_is_float(instruction->type) &&
               !ptx_type_is_float(instruction->source_type) &&
               ptx_type_bytes(instruction->type) >= 4;
    default:
        return false;
    }
}

static bool is_constant_special(uint8_t special)
{
    return (special >= PTX_SPECIAL_NTID_X && special <= PTX_SPECIAL_NTID_Z) ||
           (special >= PTX_SPECIAL_NCTAID_X && special <= PTX_SPECIAL_NCTAID_Z) ||
           special == PTX_SPECIAL_WARP_SZ;
}

static bool is_free_operand(const struct finding *finding, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_SYMBOL:
        return true;
    case PTX_OPERAND_SPECIAL:
        return is_constant_special(operand->special);
    case PTX_OPERAND_REGISTER:
        return finding->definitions[flow_root(finding->definitions, operand->reg)].is_free;
    default:
        return false;
    }
}

static bool is_free_result(const struct finding *finding, const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_LD:
        return instruction->space == PTX_SPACE_PARAM && finding->function->is_entry &&
               instruction->vector <= 1 &&
               !(finding->loads_pointers && ptx_type_bytes(instruction->type) == 8);
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
        return instruction->operand_count >= 2 &&
               is_free_operand(finding, &instruction->operands[1]);
    default:
        return false;
    }
}

static void find_copies(struct finding *finding)
{
    const struct ptx_function *function = finding->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const int32_t result = only_result(finding, instruction);
        if (result < 0) {
            continue;
        }
        if (passes_on(finding, instruction)) {
            join(finding, result, &instruction->operands[1]);
        }
        finding->definitions[result].is_free = is_free_result(finding, instruction);
    }
}

/* Sums and products *****************************************************************************/

/* Sums with a constant that only addresses use become the value that they add to. */
static void fold_addresses(struct finding *finding)
{
    const struct ptx_function *function = finding->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const int32_t result = only_result(finding, instruction);
        if (result >= 0 && instruction->opcode == PTX_OP_ADD && is_integer(instruction) &&
            instruction->operands[2].kind != PTX_OPERAND_REGISTER &&
            is_free_operand(finding, &instruction->operands[2]) &&
            !finding->definitions[result].is_other_use) {
            join(finding, result, &instruction->operands[1]);
        }
    }
}

/* A product with a constant, or a wider copy, of one register. */
static bool is_product(const struct finding *finding, const struct ptx_instruction *instruction)
{
    if (only_result(finding, instruction) < 0 || instruction->operand_count < 2 ||
        instruction->operands[1].kind != PTX_OPERAND_REGISTER) {
        return false;
    }
    switch (instruction->opcode) {
    case PTX_OP_MUL:
        return is_integer(instruction) && (instruction->flags & PTX_FLAG_HI) == 0 &&
               is_free_operand(finding, &instruction->operands[2]);
    case PTX_OP_SHL:
        return is_free_operand(finding, &instruction->operands[2]);
    case PTX_OP_CVT:
        return !ptx_type_is_float(instruction->type) &&
               !ptx_type_is_float(instruction->source_type) &&
               ptx_type_bytes(instruction->type) == 8 &&
               ptx_type_bytes(instruction->source_type) == 4;
    default:
        return false;
    }
}

/* Counts the uses that take a product in: sums, and products that are taken in themselves. */
static void count_uses_by_sums(struct finding *finding)
{
    const struct ptx_function *function = finding->function;

    for (size_t i = 0; i < function->register_count; i++) {
        finding->definitions[i].uses_by_sums = 0;
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operands = instruction->operands;
        bool takes = (instruction->opcode == PTX_OP_ADD || instruction->opcode == PTX_OP_MAD) &&
                     is_integer(instruction);
        if (is_product(finding, instruction)) {
            takes |= finding->definitions[operands[0].reg].same_as != operands[0].reg;
        }
        for (size_t k = 1; takes && k < instruction->operand_count && k < PTX_OPERANDS_MAX; k++) {
            if (operands[k].kind == PTX_OPERAND_REGISTER) {
                finding->definitions[operands[k].reg].uses_by_sums++;
            }
        }
    }
}

static void fold_products(struct finding *finding)
{
    const struct ptx_function *function = finding->function;

    for (int round = 0; round < PRODUCTS_IN_A_ROW; round++) {
        count_uses_by_sums(finding);
        for (size_t i = 0; i < function->instruction_count; i++) {
            const struct ptx_instruction *instruction = &function->instructions[i];
            if (!is_product(finding, instruction)) {
                continue;
            }
            const int32_t result = instruction->operands[0].reg;
            const struct flow_definition *definition = &finding->definitions[result];
            if (definition->uses > 0 && definition->uses_by_sums == definition->uses &&
                definition->same_as == result) {
                join(finding, result, &instruction->operands[1]);
            }
        }
    }
}

/* Halves ****************************************************************************************/

/* True if the low half of a result needs no more than the low halves of what it is made of. */
static bool keeps_halves(const struct ptx_instruction *instruction)
{
    const bool is_long =
        ptx_type_bytes(instruction->type) == 8 && !ptx_type_is_float(instruction->type);

    switch (instruction->opcode) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_SHL:
        return is_long;
    case PTX_OP_MUL:
    case PTX_OP_MAD:
        return is_long && (instruction->flags & PTX_FLAG_LO) != 0;
    default:
        return false;
    }
}

static bool needs_low_halves(const struct finding *finding,
                             const struct ptx_instruction *instruction)
{
    if (instruction->opcode == PTX_OP_CVT) {
        return instruction->guard < 0 && !ptx_type_is_float(instruction->type) &&
               ptx_type_bytes(instruction->type) <= 4;
    }
    return keeps_halves(instruction) && instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
           !finding->definitions[instruction->operands[0].reg].is_wide;
}

static void mark_wide(void *context, size_t index, int32_t reg, bool is_base)
{
    struct finding *finding = context;
    const bool is_shared = finding->function->instructions[index].space == PTX_SPACE_SHARED;
    const int32_t root = flow_root(finding->definitions, reg);

    if (!(is_base && is_shared)) {
        finding->is_changed |=
            !finding->definitions[reg].is_wide || !finding->definitions[root].is_wide;
        finding->definitions[reg].is_wide = true;
        finding->definitions[root].is_wide = true;
    }
}

static void find_wide(struct finding *finding)
{
    const struct ptx_function *function = finding->function;
    int rounds = 0;

    do {
        finding->is_changed = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            if (!needs_low_halves(finding, &function->instructions[i])) {
                flow_visit(function, i, false, mark_wide, finding);
            }
        }
    } while (finding->is_changed && ++rounds < ROUNDS_MAX);
    for (size_t i = 0; finding->is_changed && i < function->register_count; i++) {
        finding->definitions[i].is_wide = true;
    }
}

/* Uniform values ********************************************************************************/

/* Results that differ between threads whatever they are computed from. */
static bool makes_varying(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_LD:
        return instruction->space != PTX_SPACE_PARAM && instruction->space != PTX_SPACE_CONST;
    case PTX_OP_ATOM:
    case PTX_OP_SHFL:
    case PTX_OP_CALL:
    case PTX_OP_UNKNOWN:
    case PTX_OP_LDU:
    case PTX_OP_VOTE:
    case PTX_OP_MATCH:
    case PTX_OP_REDUX:
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        return true;
    default:
        break;
    }
    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_SPECIAL &&
            (operand->special < PTX_SPECIAL_NTID_X || operand->special > PTX_SPECIAL_NCTAID_Z) &&
            operand->special != PTX_SPECIAL_WARP_SZ) {
            return true;
        }
    }
    return ptx_type_is_float(instruction->type);
}

static void note_varying_read(void *context, size_t index, int32_t reg, bool is_base)
{
    struct finding *finding = context;

    (void)is_base;
    finding->is_marked[index] |=
        finding->definitions[flow_root(finding->definitions, reg)].is_varying;
}

static void mark_varying(void *context, size_t index, int32_t reg, bool is_base)
{
    struct finding *finding = context;
    struct flow_definition *definition =
        &finding->definitions[flow_root(finding->definitions, reg)];

    (void)index;
    (void)is_base;
    finding->is_changed |= !definition->is_varying;
    definition->is_varying = true;
}

static void find_varying(struct finding *finding)
{
    const struct ptx_function *function = finding->function;
    int rounds = 0;

    do {
        finding->is_changed = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            finding->is_marked[i] = makes_varying(&function->instructions[i]);
            flow_visit(function, i, false, note_varying_read, finding);
            if (finding->is_marked[i]) {
                flow_visit(function, i, true, mark_varying, finding);
            }
        }
    } while (finding->is_changed && ++rounds < ROUNDS_MAX);
    for (size_t i = 0; finding->is_changed && i < function->register_count; i++) {
        finding->definitions[i].is_varying = true;
    }
}

void flow_definitions_find(struct arena *arena, const struct ptx_function *function,
                           bool loads_pointers, struct flow_definition *definitions)
{
    struct finding finding = {
        .function = function,
        .definitions = definitions,
        .loads_pointers = loads_pointers,
        .is_marked = arena_array(arena, function->instruction_count, sizeof *finding.is_marked),
    };

    for (size_t i = 0; i < function->register_count; i++) {
        definitions[i].same_as = (int32_t)i;
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        flow_visit(function, i, true, note_write, &finding);
        flow_visit(function, i, false, note_read, &finding);
    }
    find_copies(&finding);
    fold_addresses(&finding);
    fold_products(&finding);
    find_wide(&finding);
    find_varying(&finding);
}
