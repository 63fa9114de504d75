/* kernel_shape.c: see kernel_shape.h. */
#include "ptx/kernel_shape.h"

#include <string.h>

static void most(uint32_t *value, uint32_t other)
{
    *value = other > *value ? other : *value;
}

/* The registers that an instruction loads from memory; 0 if it is no load. */
static uint32_t registers_loaded(const struct kernel_flow *flow, size_t index)
{
    const struct ptx_instruction *instruction = &flow->function->instructions[index];
    const struct flow_step *step = &flow->steps[index];
    uint32_t loaded = 0;

    if (instruction->opcode != PTX_OP_LD || instruction->space == PTX_SPACE_PARAM) {
        return 0;
    }
    for (uint32_t i = 0; i < step->writes; i++) {
        loaded += flow->registers[flow->values[step->first + i]].registers;
    }
    return loaded;
}

static void count_block_loads(const struct kernel_flow *flow, struct kernel_shape *shape)
{
    for (size_t b = 0; b < flow->block_count; b++) {
        uint32_t loads = 0;
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            if (flow->steps[i].kind == STEP_LOAD) {
                loads++;
            } else if (flow->steps[i].kind == STEP_FENCE) {
                loads = 0;
            }
            most(&shape->block_loads, loads);
        }
    }
}

/* Loads of shared memory, and those of all other memory, wait for stores to the same. */
static void count_loaded(const struct kernel_flow *flow, struct kernel_shape *shape)
{
    uint32_t shared = 0;
    uint32_t other = 0;

    for (size_t i = 0; i < flow->step_count; i++) {
        const struct ptx_instruction *instruction = &flow->function->instructions[i];
        const bool is_shared = instruction->space == PTX_SPACE_SHARED;
        const bool is_generic = instruction->space == PTX_SPACE_GENERIC;
        const uint32_t loaded = registers_loaded(flow, i);
        shared += is_shared || is_generic ? loaded : 0;
        other += is_shared ? 0 : loaded;
        most(&shape->loaded, shared > other ? shared : other);
        switch (instruction->opcode) {
        case PTX_OP_BAR:
        case PTX_OP_BARRIER:
        case PTX_OP_CALL:
        case PTX_OP_MEMBAR:
        case PTX_OP_FENCE:
            shared = other = 0;
            break;
        case PTX_OP_ST:
        case PTX_OP_ATOM:
        case PTX_OP_RED:
            shared = is_shared || is_generic ? 0 : shared;
            other = instruction->space == PTX_SPACE_GLOBAL || is_generic ? 0 : other;
            break;
        default:
            break;
        }
    }
}

/* What the instructions [first, end) load; false if one of them keeps a loop from being
 * unrolled. */
static bool loop_loads(const struct kernel_flow *flow, uint32_t first, uint32_t end,
                       uint32_t *out_loaded)
{
    *out_loaded = 0;
    for (uint32_t i = first; i < end; i++) {
        if (flow->steps[i].kind == STEP_FENCE &&
            flow->function->instructions[i].opcode != PTX_OP_ST) {
            return false;
        }
        *out_loaded += registers_loaded(flow, i);
    }
    return true;
}

static void find_loops(const struct kernel_flow *flow, struct kernel_shape *shape)
{
    size_t inner_from = 0; /* blocks from here on are in no loop that ended before */

    for (size_t b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        size_t head = SIZE_MAX;
        for (uint32_t s = 0; s < block->successor_count; s++) {
            const size_t to = flow->successors[block->successors_first + s];
            head = to <= b && (head == SIZE_MAX || to > head) ? to : head;
        }
        if (head == SIZE_MAX) {
            continue;
        }
        shape->has_loop = true;
        uint32_t loaded;
        if (head >= inner_from && loop_loads(flow, flow->blocks[head].first, block->end, &loaded)) {
            most(&shape->loop_loaded, loaded);
        }
        inner_from = b + 1;
    }
}

static void find_division(const struct ptx_instruction *instruction, struct kernel_shape *shape)
{
    const bool is_fast = (instruction->flags & (PTX_FLAG_APPROX | PTX_FLAG_FULL)) != 0;

    if (instruction->type == PTX_F64) {
        shape->has_double_division = true;
    } else if (ptx_type_is_float(instruction->type)) {
        shape->has_division |= !is_fast;
    } else if (instruction->operand_count > 2 &&
               instruction->operands[2].kind == PTX_OPERAND_IMMEDIATE) {
        shape->has_constant_division = true;
    } else {
        shape->has_division = true;
        shape->has_long_division |= ptx_type_bytes(instruction->type) == 8;
    }
}

/* Functions of libdevice are inlined before an assembler sees them: they compute by steps. */
static bool is_libdevice(const struct ptx_module *module, const struct ptx_instruction *call)
{
    const struct ptx_operand *callee = &call->operands[0];

    return callee->kind == PTX_OPERAND_FUNCTION && callee->symbol >= 0 &&
           (size_t)callee->symbol < module->function_count &&
           strncmp(module->functions[callee->symbol].name, "__nv_", strlen("__nv_")) == 0;
}

void kernel_shape_find(const struct ptx_module *module, const struct kernel_flow *flow,
                       struct kernel_shape *out_shape)
{
    struct kernel_shape *shape = out_shape;

    *shape = (struct kernel_shape){.instructions = (uint32_t)flow->step_count};
    count_block_loads(flow, shape);
    count_loaded(flow, shape);
    find_loops(flow, shape);
    for (size_t i = 0; i < flow->step_count; i++) {
        const struct ptx_instruction *instruction = &flow->function->instructions[i];
        switch (instruction->opcode) {
        case PTX_OP_DIV:
        case PTX_OP_REM:
            find_division(instruction, shape);
            break;
        case PTX_OP_SQRT:
        case PTX_OP_RCP:
            shape->has_division |= (instruction->flags & PTX_FLAG_APPROX) == 0;
            break;
        case PTX_OP_CALL:
            if (is_libdevice(module, instruction)) {
                shape->has_division = true;
            } else {
                shape->has_call = true;
            }
            break;
        case PTX_OP_UNKNOWN:
            shape->has_unknown = true;
            break;
        default:
            break;
        }
    }
}
