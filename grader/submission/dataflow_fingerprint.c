/* dataflow_fingerprint.c: see dataflow_fingerprint.h.
 *
 * Sums stand where order must not count: the writers of a register, the operands of an instruction
 * (each mixed with its place before).
 */
#include "submission/dataflow_fingerprint.h"

#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

/* The forms of operands, by opcode: opcodes.def. */
static const char *const operand_forms[PTX_OPCODE_COUNT] = {
#define PTX_OPCODE(name, text, operands, ...) operands,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

enum { GUARD_PLACE = 64, RETURN_PLACE = 65, ARGUMENT_PLACE = 66 };

/* The marks of one program, while they are gathered. */
struct gathering {
    uint64_t *marks; /* [count], in an arena of their own */
    size_t count, capacity;
    struct arena *arena;
    size_t registers; /* seen so far */
};

/* A function in one round. */
struct labelling {
    const struct ptx_module *module;
    const struct ptx_function *function;
    uint64_t *registers; /* [register_count] what the round before knows of who writes them */
    uint64_t *next;      /* [register_count] what this round will */
    uint64_t *labels;    /* [instruction_count] */
};

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static uint64_t mix_two(uint64_t left, uint64_t right)
{
    return mix(mix(left) ^ right);
}

static uint64_t symbol_space(const struct labelling *labelling, const struct ptx_operand *operand)
{
    const struct ptx_variable *variables = NULL;
    size_t count = 0;

    if (operand->scope == PTX_SCOPE_MODULE) {
        variables = labelling->module->variables;
        count = labelling->module->variable_count;
    } else if (operand->scope == PTX_SCOPE_FUNCTION) {
        variables = labelling->function->variables;
        count = labelling->function->variable_count;
    }
    if (operand->symbol < 0 || (size_t)operand->symbol >= count) {
        return mix(operand->scope);
    }
    return mix_two(operand->scope, variables[operand->symbol].space);
}

static uint64_t register_label(const struct labelling *labelling, int32_t reg)
{
    return reg < 0 || (size_t)reg >= labelling->function->register_count
               ? 0
               : labelling->registers[reg];
}

/* What stands at an operand, but for vectors. */
static uint64_t plain_operand(const struct labelling *labelling, const struct ptx_operand *operand,
                              size_t instruction)
{
    uint64_t kind = mix_two(operand->kind, operand->negated);

    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return mix_two(kind, register_label(labelling, operand->reg));
    case PTX_OPERAND_SPECIAL:
        return mix_two(kind, operand->special);
    case PTX_OPERAND_SYMBOL:
        return mix_two(kind, symbol_space(labelling, operand));
    case PTX_OPERAND_MEMORY:
        return operand->reg >= 0 ? mix_two(kind, register_label(labelling, operand->reg))
                                 : mix_two(kind, symbol_space(labelling, operand));
    case PTX_OPERAND_LABEL:
        return mix_two(kind, operand->target <= instruction);
    default:
        return kind;
    }
}

/* The sum over a list in function->elements, each with its place there. */
static uint64_t element_sum(const struct labelling *labelling, uint32_t first, uint32_t count,
                            size_t instruction)
{
    const struct ptx_function *function = labelling->function;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count && (size_t)first + i < function->element_count; i++) {
        sum += mix_two(i, plain_operand(labelling, &function->elements[first + i], instruction));
    }
    return sum;
}

static bool is_destination(const struct ptx_instruction *instruction, size_t place)
{
    const char *forms = operand_forms[instruction->opcode];

    if (place == 0) {
        return forms[0] == 'd' || forms[0] == 'D';
    }
    return place == 1 && strlen(forms) > 3 && (forms[3] == 'q' || forms[3] == 'd');
}

/* True if the first two sources may change places. */
static bool is_commutative(uint16_t opcode)
{
    static const uint16_t opcodes[] = {PTX_OP_ADD, PTX_OP_MUL, PTX_OP_MAD, PTX_OP_FMA, PTX_OP_MIN,
                                       PTX_OP_MAX, PTX_OP_AND, PTX_OP_OR,  PTX_OP_XOR};

    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (opcodes[i] == opcode) {
            return true;
        }
    }
    return false;
}

/* The mnemonic with all that belongs to it. */
static uint64_t mnemonic_label(const struct ptx_instruction *instruction)
{
    const uint64_t words[] = {
        instruction->opcode, instruction->type,          instruction->source_type,
        instruction->space,  instruction->rounding,      instruction->compare,
        instruction->sub,    instruction->vector,        instruction->memory_scope,
        instruction->flags,  instruction->operand_count, instruction->guard_negated,
    };
    uint64_t label = 0;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        label = mix_two(label, words[i]);
    }
    return label;
}

static uint64_t instruction_label(const struct labelling *labelling, size_t index)
{
    const struct ptx_instruction *instruction = &labelling->function->instructions[index];
    bool commutes = is_commutative(instruction->opcode);
    uint64_t sum = mnemonic_label(instruction);

    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        uint64_t label;
        if (is_destination(instruction, i)) {
            continue;
        }
        label = operand->kind == PTX_OPERAND_VECTOR
                    ? element_sum(labelling, operand->element_first, operand->element_count, index)
                    : plain_operand(labelling, operand, index);
        sum += mix_two(commutes && i == 2 ? 1 : i, label);
    }
    if (instruction->guard >= 0) {
        sum += mix_two(GUARD_PLACE, register_label(labelling, instruction->guard));
    }
    if (instruction->returns_count > 0) {
        sum += mix_two(RETURN_PLACE, instruction->returns_count);
    }
    if (instruction->arguments_count > 0) {
        sum += mix_two(ARGUMENT_PLACE, element_sum(labelling, instruction->arguments_first,
                                                   instruction->arguments_count, index));
    }
    return mix(sum);
}

static void add_writer(const struct labelling *labelling, const struct ptx_operand *operand,
                       size_t place, uint64_t label)
{
    if (operand->kind == PTX_OPERAND_REGISTER && operand->reg >= 0 &&
        (size_t)operand->reg < labelling->function->register_count) {
        labelling->next[operand->reg] += mix_two(place, label);
    }
}

/* Tells the registers that an instruction writes who does so. */
static void add_writes(const struct labelling *labelling, size_t index)
{
    const struct ptx_function *function = labelling->function;
    const struct ptx_instruction *instruction = &function->instructions[index];

    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (!is_destination(instruction, i)) {
            continue;
        }
        if (operand->kind != PTX_OPERAND_VECTOR) {
            add_writer(labelling, operand, i, labelling->labels[index]);
            continue;
        }
        for (uint32_t k = 0; k < operand->element_count &&
                             (size_t)operand->element_first + k < function->element_count;
             k++) {
            add_writer(labelling, &function->elements[operand->element_first + k], k,
                       labelling->labels[index]);
        }
    }
}

static void label_function(struct gathering *gathering, const struct ptx_module *module,
                           const struct ptx_function *function)
{
    struct arena *scratch = arena_new();
    size_t count = function->instruction_count;
    size_t bytes = function->register_count * sizeof(uint64_t);
    struct labelling labelling = {
        .module = module,
        .function = function,
        .registers = arena_array(scratch, function->register_count, sizeof(uint64_t)),
        .next = arena_array(scratch, function->register_count, sizeof(uint64_t)),
        .labels = arena_array(scratch, count, sizeof(uint64_t)),
    };

    for (unsigned round = 0; round < DATAFLOW_FINGERPRINT_ROUNDS; round++) {
        for (size_t i = 0; i < function->register_count; i++) {
            labelling.next[i] = mix(function->registers[i].type);
        }
        for (size_t i = 0; i < count; i++) {
            labelling.labels[i] = instruction_label(&labelling, i);
            add_writes(&labelling, i);
        }
        memcpy(labelling.registers, labelling.next, bytes);
    }
    arena_grow(gathering->arena, &gathering->marks, &gathering->capacity, gathering->count + count,
               sizeof *gathering->marks);
    if (count > 0) {
        memcpy(gathering->marks + gathering->count, labelling.labels, count * sizeof(uint64_t));
    }
    gathering->count += count;
    arena_free(scratch);
}

static void read_module(struct gathering *gathering, const struct fat_module *fat)
{
    struct arena *scratch = arena_new();
    const struct ptx_module *module = NULL;

    if (ptx_parse(scratch, fat->text, fat->length, &module, NULL) == ERROR_NONE) {
        for (size_t i = 0; i < module->function_count; i++) {
            const struct ptx_function *function = &module->functions[i];
            if (!function->is_declaration) {
                gathering->registers += function->register_count;
                label_function(gathering, module, function);
            }
        }
    }
    arena_free(scratch);
}

static int compare_marks(const void *left_pointer, const void *right_pointer)
{
    uint64_t left = *(const uint64_t *)left_pointer, right = *(const uint64_t *)right_pointer;

    return (left > right) - (left < right);
}

struct device_code dataflow_fingerprint_make(struct arena *arena, const char *program,
                                             const struct fat_program *code)
{
    struct gathering gathering = {.arena = arena_new()};
    size_t bytes = 0, kept = 0;

    for (size_t i = 0; i < code->module_count; i++) {
        const struct fat_module *module = &code->modules[i];
        bytes += module->length; /* of texts that are in memory */
        if (bytes > DATAFLOW_FINGERPRINT_TEXT_MAX ||
            gathering.registers > DATAFLOW_FINGERPRINT_REGISTERS_MAX) {
            break;
        }
        read_module(&gathering, module);
    }
    if (gathering.count > 0) {
        qsort(gathering.marks, gathering.count, sizeof *gathering.marks, compare_marks);
    }
    for (size_t i = 0; i < gathering.count && kept < DATAFLOW_FINGERPRINT_MAX; i++) {
        if (i == 0 || gathering.marks[i] != gathering.marks[i - 1]) {
            gathering.marks[kept++] = gathering.marks[i];
        }
    }
    uint64_t *marks = arena_array(arena, kept, sizeof *marks);
    if (kept > 0) {
        memcpy(marks, gathering.marks, kept * sizeof *marks);
    }
    arena_free(gathering.arena);
    return (struct device_code){
        .program = program, .marks = marks, .mark_count = kept, .instructions = gathering.count};
}
