/* kernel_shape.c: see kernel_shape.h. */
#include "ptx/kernel_shape.h"

#include <string.h>

/* Calls of calls of a kernel that are followed. */
enum { CALLS_MAX = 8 };

static bool has_loop(const struct kernel_flow *flow)
{
    for (size_t b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            if (flow->successors[block->successors_first + s] <= b) {
                return true;
            }
        }
    }
    return false;
}

static void find_steps(const struct ptx_instruction *instruction, struct kernel_shape *shape)
{
    const bool is_fast = (instruction->flags & (PTX_FLAG_APPROX | PTX_FLAG_FULL)) != 0;
    const bool is_by_constant = !ptx_type_is_float(instruction->type) &&
                                instruction->operands[2].kind == PTX_OPERAND_IMMEDIATE;

    if (!is_fast) {
        shape->has_steps = true;
        shape->has_long_steps |= ptx_type_bytes(instruction->type) == 8 && !is_by_constant;
    }
}

/* The function of the module that a call names; NULL for an address. */
static const struct ptx_function *callee_of(const struct ptx_module *module,
                                            const struct ptx_instruction *call)
{
    const struct ptx_operand *callee = &call->operands[0];

    return callee->kind == PTX_OPERAND_FUNCTION && callee->symbol >= 0 &&
                   (size_t)callee->symbol < module->function_count
               ? &module->functions[callee->symbol]
               : NULL;
}

/* Functions of libdevice are inlined before an assembler sees them: they compute by steps. */
static bool is_libdevice(const struct ptx_function *callee)
{
    return callee != NULL && strncmp(callee->name, "__nv_", strlen("__nv_")) == 0;
}

static bool calls_something(const struct ptx_module *module, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->opcode == PTX_OP_CALL && !is_libdevice(callee_of(module, instruction))) {
            return true;
        }
    }
    return false;
}

/* A function that calls others may call itself. */
static bool is_outside(const struct ptx_module *module, const struct ptx_instruction *call)
{
    const struct ptx_function *callee = callee_of(module, call);

    return callee == NULL || callee->is_declaration || calls_something(module, callee);
}

static void find_call(const struct ptx_module *module, const struct ptx_instruction *call,
                      uint32_t count, struct kernel_shape *shape)
{
    if (is_libdevice(callee_of(module, call))) {
        shape->has_steps = true;
        return;
    }
    shape->has_call = true;
    shape->has_outside_call |= count > CALLS_MAX || is_outside(module, call);
}

void kernel_shape_find(const struct ptx_module *module, const struct kernel_flow *flow,
                       struct kernel_shape *out_shape)
{
    const struct ptx_function *function = flow->function;
    struct kernel_shape *shape = out_shape;
    uint32_t calls = 0;

    *shape = (struct kernel_shape){
        .instructions = (uint32_t)flow->step_count,
        .has_loop = has_loop(flow),
    };
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        switch (instruction->opcode) {
        case PTX_OP_DIV:
        case PTX_OP_REM:
        case PTX_OP_SQRT:
        case PTX_OP_RCP:
            find_steps(instruction, shape);
            break;
        case PTX_OP_CALL:
            find_call(module, instruction, ++calls, shape);
            break;
        case PTX_OP_UNKNOWN:
            shape->has_unknown = true;
            break;
        default:
            break;
        }
    }
}
