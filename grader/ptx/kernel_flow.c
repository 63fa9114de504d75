/* kernel_flow.c: see kernel_flow.h. */
#include "ptx/kernel_flow.h"

#include "ptx/flow_values.h"

struct making {
    struct arena *arena;
    const struct ptx_function *function;
    struct flow_definition *definitions; /* [register_count] */
    struct kernel_flow *flow;
    bool loads_pointers;
};

/* Where pointers are loaded, what is the same in all threads lies in registers of its own. */
static uint8_t cost_of(const struct making *making, int32_t reg)
{
    const struct flow_definition *definition = &making->definitions[reg];
    const enum ptx_type type = making->function->registers[reg].type;
    const size_t bytes = ptx_type_bytes(type);

    if (type == PTX_PRED || definition->is_free ||
        (making->loads_pointers && !definition->is_varying && bytes == 4 &&
         definition->write_count == 1)) {
        return 0;
    }
    if (bytes == 8 && !ptx_type_is_float(type) && !definition->is_wide) {
        return 1;
    }
    return bytes <= 4 ? 1 : (uint8_t)(bytes / 4);
}

/* Predicates cost nothing and are kept: they order steps. */
static bool is_kept(const struct making *making, int32_t root)
{
    return making->function->registers[root].type == PTX_PRED || cost_of(making, root) > 0;
}

static void add_value(struct making *making, size_t index, int32_t reg, bool is_write)
{
    struct kernel_flow *flow = making->flow;
    const int32_t root = flow_root(making->definitions, reg);

    if ((is_write && root != reg) || !is_kept(making, root)) {
        return; /* a copy makes nothing */
    }
    arena_grow(making->arena, &flow->values, &flow->value_capacity, flow->value_count + 1,
               sizeof *flow->values);
    flow->values[flow->value_count++] = (uint32_t)root;
    if (is_write) {
        flow->steps[index].writes++;
    } else {
        flow->steps[index].reads++;
    }
}

static void add_write(void *context, size_t index, int32_t reg, bool is_base)
{
    (void)is_base;
    add_value(context, index, reg, true);
}

static void add_read(void *context, size_t index, int32_t reg, bool is_base)
{
    (void)is_base;
    add_value(context, index, reg, false);
}

static bool is_copy(const struct making *making, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = &instruction->operands[0];

    return instruction->operand_count > 0 && flow_is_destination(instruction, 0) &&
           to->kind == PTX_OPERAND_REGISTER && to->reg >= 0 &&
           (flow_root(making->definitions, to->reg) != to->reg ||
            making->definitions[to->reg].is_free);
}

static enum step_kind kind_of(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        return instruction->space == PTX_SPACE_PARAM                                ? STEP_PLAIN
               : (instruction->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_ACQUIRE)) != 0 ? STEP_FENCE
                                                                                    : STEP_LOAD;
    case PTX_OP_ST:
        return instruction->space == PTX_SPACE_PARAM ? STEP_PLAIN : STEP_FENCE;
    case PTX_OP_BRA:
    case PTX_OP_BRX_IDX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
        return STEP_BRANCH;
    case PTX_OP_CALL:
    case PTX_OP_UNKNOWN:
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_SURED:
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_MATCH:
    case PTX_OP_REDUX:
    case PTX_OP_CP:
    case PTX_OP_MBARRIER:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
    case PTX_OP_NANOSLEEP:
        return STEP_FENCE;
    default:
        return STEP_PLAIN;
    }
}

/* A guarded step keeps the old value where it does nothing; what is written once has none. */
static bool may_keep(const struct making *making, const struct flow_step *step)
{
    for (uint32_t k = 0; k < step->writes; k++) {
        if (making->definitions[making->flow->values[step->first + k]].write_count > 1) {
            return true;
        }
    }
    return false;
}

static void make_steps(struct making *making)
{
    const struct ptx_function *function = making->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        struct flow_step *step = &making->flow->steps[i];
        *step = (struct flow_step){
            .kind = (uint8_t)kind_of(instruction),
            .first = (uint32_t)making->flow->value_count,
        };
        if (!is_copy(making, instruction)) {
            flow_visit(function, i, true, add_write, making);
            flow_visit(function, i, false, add_read, making);
        }
        step->is_guarded = instruction->guard >= 0 && may_keep(making, step);
    }
}

static bool ends_block(const struct ptx_instruction *instruction)
{
    return kind_of(instruction) == STEP_BRANCH;
}

static void add_successor(struct making *making, struct flow_block *block, uint32_t to)
{
    struct kernel_flow *flow = making->flow;

    arena_grow(making->arena, &flow->successors, &flow->successor_capacity,
               flow->successor_count + 1, sizeof *flow->successors);
    flow->successors[flow->successor_count++] = to;
    block->successor_count++;
}

/* Marks the instructions at which blocks start; returns how many there are. */
static size_t find_leaders(const struct ptx_function *function, uint32_t *block_of)
{
    size_t count = 0;

    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        block_of[i] |= i == 0;
        if (!ends_block(instruction)) {
            continue;
        }
        if (i + 1 < function->instruction_count) {
            block_of[i + 1] = 1;
        }
        for (size_t j = 0; j < instruction->operand_count; j++) {
            const struct ptx_operand *operand = &instruction->operands[j];
            if (operand->kind == PTX_OPERAND_LABEL) {
                block_of[operand->target] = 1;
            } else if (operand->kind == PTX_OPERAND_VECTOR) {
                for (uint32_t k = 0; k < operand->element_count; k++) {
                    block_of[function->elements[operand->element_first + k].target] = 1;
                }
            }
        }
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        count += block_of[i];
        block_of[i] = (uint32_t)count - 1;
    }
    return count;
}

static void connect(struct making *making, size_t index, const uint32_t *block_of)
{
    const struct ptx_function *function = making->function;
    struct flow_block *block = &making->flow->blocks[index];
    const struct ptx_instruction *last = &function->instructions[block->end - 1];

    block->successors_first = (uint32_t)making->flow->successor_count;
    for (size_t j = 0; ends_block(last) && j < last->operand_count; j++) {
        const struct ptx_operand *operand = &last->operands[j];
        if (operand->kind == PTX_OPERAND_LABEL) {
            add_successor(making, block, block_of[operand->target]);
        } else if (operand->kind == PTX_OPERAND_VECTOR) {
            for (uint32_t k = 0; k < operand->element_count; k++) {
                add_successor(making, block,
                              block_of[function->elements[operand->element_first + k].target]);
            }
        }
    }
    if ((!ends_block(last) || last->guard >= 0) && index + 1 < making->flow->block_count) {
        add_successor(making, block, (uint32_t)index + 1);
    }
}

static void make_blocks(struct making *making)
{
    const struct ptx_function *function = making->function;
    struct kernel_flow *flow = making->flow;
    uint32_t *block_of = arena_array(making->arena, function->instruction_count, sizeof *block_of);

    flow->block_count = find_leaders(function, block_of);
    flow->blocks = arena_array(making->arena, flow->block_count, sizeof *flow->blocks);
    for (size_t i = function->instruction_count; i > 0; i--) {
        struct flow_block *block = &flow->blocks[block_of[i - 1]];
        block->first = (uint32_t)(i - 1);
        block->end = block->end == 0 ? (uint32_t)i : block->end;
    }
    for (size_t i = 0; i < flow->block_count; i++) {
        connect(making, i, block_of);
    }
}

void kernel_flow_make(struct arena *arena, const struct ptx_function *function, bool loads_pointers,
                      struct kernel_flow *out_flow)
{
    struct making making = {
        .arena = arena,
        .function = function,
        .definitions = arena_array(arena, function->register_count, sizeof *making.definitions),
        .flow = out_flow,
        .loads_pointers = loads_pointers,
    };

    *out_flow = (struct kernel_flow){
        .function = function,
        .steps = arena_array(arena, function->instruction_count, sizeof *out_flow->steps),
        .step_count = function->instruction_count,
        .registers = arena_array(arena, function->register_count, sizeof *out_flow->registers),
    };
    flow_definitions_find(arena, function, loads_pointers, making.definitions);
    make_steps(&making);
    make_blocks(&making);
    for (size_t i = 0; i < function->register_count; i++) {
        out_flow->registers[i] = cost_of(&making, (int32_t)i);
    }
}
