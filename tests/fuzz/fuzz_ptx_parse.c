/* fuzz_ptx_parse.c: any bytes as PTX text.
 *
 * Whatever the parser accepts must keep what ptx.h promises to those who execute it: every index
 * lies within its table, every branch within its function, and the function ends.
 */
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_symbol(const struct ptx_module *module, const struct ptx_function *function,
                         const struct ptx_operand *operand)
{
    size_t limits[] = {[PTX_SCOPE_MODULE] = module->variable_count,
                       [PTX_SCOPE_FUNCTION] = function->variable_count,
                       [PTX_SCOPE_PARAMETER] = function->parameter_count,
                       [PTX_SCOPE_CODE] = module->function_count,
                       [PTX_SCOPE_RETURN] = function->return_count};

    demand(operand->scope != PTX_SCOPE_NONE && operand->scope <= PTX_SCOPE_RETURN);
    demand(operand->symbol >= 0 && (size_t)operand->symbol < limits[operand->scope]);
}

static void check_simple(const struct ptx_module *module, const struct ptx_function *function,
                         const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        demand(operand->reg >= 0 && (size_t)operand->reg < function->register_count);
        break;
    case PTX_OPERAND_SPECIAL:
        demand(operand->special < PTX_SPECIAL_COUNT);
        break;
    case PTX_OPERAND_SYMBOL:
        check_symbol(module, function, operand);
        break;
    case PTX_OPERAND_MEMORY:
        demand(operand->reg < 0 || operand->symbol < 0);
        demand(operand->reg < (int32_t)function->register_count);
        if (operand->symbol >= 0) {
            check_symbol(module, function, operand);
        }
        break;
    case PTX_OPERAND_LABEL:
        demand(operand->target < function->instruction_count);
        break;
    case PTX_OPERAND_FUNCTION:
        demand(operand->symbol >= 0 && (size_t)operand->symbol < module->function_count);
        break;
    default:
        demand(operand->kind == PTX_OPERAND_IMMEDIATE || operand->kind == PTX_OPERAND_SINK);
        break;
    }
}

static void check_elements(const struct ptx_module *module, const struct ptx_function *function,
                           uint32_t first, uint32_t count)
{
    demand(first <= function->element_count && count <= function->element_count - first);
    for (uint32_t i = 0; i < count; i++) {
        check_simple(module, function, &function->elements[first + i]);
    }
}

static void check_instruction(const struct ptx_module *module, const struct ptx_function *function,
                              const struct ptx_instruction *instruction)
{
    demand(instruction->opcode < PTX_OPCODE_COUNT);
    demand(instruction->opcode != PTX_OP_UNKNOWN || instruction->text != NULL);
    demand(instruction->operand_count <= PTX_OPERANDS_MAX);
    demand(instruction->location < module->location_count);
    demand(instruction->guard < (int32_t)function->register_count);
    demand(instruction->guard < 0 || function->registers[instruction->guard].type == PTX_PRED);
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];

        if (operand->kind == PTX_OPERAND_VECTOR) {
            check_elements(module, function, operand->element_first, operand->element_count);
        } else {
            check_simple(module, function, operand);
        }
    }
    check_elements(module, function, instruction->returns_first, instruction->returns_count);
    check_elements(module, function, instruction->arguments_first, instruction->arguments_count);
}

static void check_function(const struct ptx_module *module, const struct ptx_function *function)
{
    demand(strlen(function->name) > 0);
    if (function->is_declaration) {
        return;
    }
    demand(function->instruction_count > 0);
    const struct ptx_instruction *last = &function->instructions[function->instruction_count - 1];
    demand(last->guard < 0 && (last->opcode == PTX_OP_RET || last->opcode == PTX_OP_EXIT ||
                               last->opcode == PTX_OP_TRAP));
    for (size_t i = 0; i < function->instruction_count; i++) {
        check_instruction(module, function, &function->instructions[i]);
    }
}

static void check_variable(const struct ptx_variable *variable)
{
    if (variable->initial != NULL && variable->bytes > 0) { /* a sanitizer sees a short array */
        volatile uint8_t last = variable->initial[variable->bytes - 1];
        (void)last;
    }
    for (size_t i = 0; i < variable->relocation_count; i++) {
        const struct ptx_relocation *relocation = &variable->relocations[i];

        demand(relocation->bytes <= 8 && relocation->shift < 64);
        demand(relocation->offset + relocation->bytes <= variable->bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    const struct ptx_module *module;
    struct diagnostic diagnostic;
    char *text = malloc(length > 0 ? length : 1); /* exact, so that a sanitizer sees its end */

    demand(text != NULL);
    memcpy(text, bytes, length);
    if (ptx_parse(arena, text, length, &module, &diagnostic) == ERROR_NONE) {
        for (size_t i = 0; i < module->function_count; i++) {
            check_function(module, &module->functions[i]);
        }
        for (size_t i = 0; i < module->variable_count; i++) {
            check_variable(&module->variables[i]);
        }
        for (size_t i = 0; i < module->location_count; i++) {
            demand(module->locations[i].file < module->file_count);
            demand(i == 0 || module->locations[i].inlined_at < i);
        }
    }
    free(text);
    arena_free(arena);
    return 0;
}
