/* kernel_flow.c: see kernel_flow.h. */
#include "ptx/kernel_flow.h"

#include <string.h>

/* The forms of operands, by opcode: opcodes.def. */
static const char *const operand_forms[PTX_OPCODE_COUNT] = {
#define PTX_OPCODE(name, text, operands, ...) operands,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

enum { VARYING_ROUNDS_MAX = 64 };

/* What a register stands for, while the flow is made. */
struct definition {
    uint32_t write_count;
    uint32_t instruction; /* the last one that writes it */
    int32_t same_as;      /* the register whose value it has; itself if none */
    bool is_free;         /* a constant, or a parameter */
    bool is_varying;      /* not known to be the same in all threads */
    bool is_other_use;    /* it is read as something else than the base of an address */
};

struct making {
    struct arena *arena;
    const struct ptx_function *function;
    struct definition *definitions; /* [register_count] */
    struct kernel_flow *flow;
    bool is_changed; /* of one round of find_varying() */
};

static bool is_destination(const struct ptx_instruction *instruction, size_t place)
{
    const char *forms = operand_forms[instruction->opcode];

    if (place == 0) {
        return forms[0] == 'd' || forms[0] == 'D';
    }
    return place == 1 && strlen(forms) > 3 && (forms[3] == 'q' || forms[3] == 'd');
}

typedef void (*see_register)(struct making *making, size_t instruction, int32_t reg, bool is_write,
                             bool is_base);

static void see_operand(struct making *making, size_t index, const struct ptx_operand *operand,
                        bool is_write, see_register see)
{
    if (operand->kind == PTX_OPERAND_VECTOR) {
        for (uint32_t i = 0; i < operand->element_count; i++) {
            see_operand(making, index, &making->function->elements[operand->element_first + i],
                        is_write, see);
        }
        return;
    }
    if (operand->reg >= 0 &&
        (operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_MEMORY)) {
        see(making, index, operand->reg, is_write, operand->kind == PTX_OPERAND_MEMORY);
    }
}

static void see_list(struct making *making, size_t index, uint32_t first, uint32_t count,
                     bool is_write, see_register see)
{
    for (uint32_t i = 0; i < count; i++) {
        see_operand(making, index, &making->function->elements[first + i], is_write, see);
    }
}

/* Shows the registers that an instruction writes, or those that it reads. */
static void see_instruction(struct making *making, size_t index, bool writes, see_register see)
{
    const struct ptx_instruction *instruction = &making->function->instructions[index];

    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        if (is_destination(instruction, i) == writes) {
            see_operand(making, index, &instruction->operands[i], writes, see);
        }
    }
    if (!writes && instruction->guard >= 0) {
        see(making, index, instruction->guard, false, false);
    }
    if (writes) {
        see_list(making, index, instruction->returns_first, instruction->returns_count, true, see);
    } else {
        see_list(making, index, instruction->arguments_first, instruction->arguments_count, false,
                 see);
    }
}

static void note_write(struct making *making, size_t index, int32_t reg, bool is_write,
                       bool is_base)
{
    (void)is_write;
    (void)is_base;
    making->definitions[reg].write_count++;
    making->definitions[reg].instruction = (uint32_t)index;
}

/* The register whose value a register has. Chains become shorter as they are followed. */
static int32_t root_of(const struct making *making, int32_t reg)
{
    while (making->definitions[reg].same_as != reg) {
        struct definition *definition = &making->definitions[reg];
        definition->same_as = making->definitions[definition->same_as].same_as;
        reg = definition->same_as;
    }
    return reg;
}

static bool is_uniform_special(uint8_t special)
{
    return special >= PTX_SPECIAL_NTID_X && special <= PTX_SPECIAL_NCTAID_Z;
}

static bool is_constant_special(uint8_t special)
{
    return (special >= PTX_SPECIAL_NTID_X && special <= PTX_SPECIAL_NTID_Z) ||
           (special >= PTX_SPECIAL_NCTAID_X && special <= PTX_SPECIAL_NCTAID_Z) ||
           special == PTX_SPECIAL_WARP_SZ;
}

/* The register that an instruction passes on unchanged; -1: none. */
static int32_t copied_register(const struct making *making,
                               const struct ptx_instruction *instruction)
{
    const struct ptx_register *registers = making->function->registers;
    const struct ptx_operand *to = &instruction->operands[0];
    const struct ptx_operand *from = &instruction->operands[1];

    if (instruction->guard >= 0 || instruction->operand_count < 2 ||
        to->kind != PTX_OPERAND_REGISTER || from->kind != PTX_OPERAND_REGISTER) {
        return -1;
    }
    switch (instruction->opcode) {
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
        return from->reg;
    case PTX_OP_CVT:
        return ptx_type_bytes(registers[to->reg].type) <=
                           ptx_type_bytes(registers[from->reg].type) &&
                       !ptx_type_is_float(instruction->type) &&
                       !ptx_type_is_float(instruction->source_type) &&
                       ptx_type_bytes(instruction->type) >= 4
                   ? from->reg
                   : -1;
    default:
        return -1;
    }
}

/* True if an operand has a value that needs no register. */
static bool is_free_operand(const struct making *making, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_SYMBOL:
        return true;
    case PTX_OPERAND_SPECIAL:
        return is_constant_special(operand->special);
    case PTX_OPERAND_REGISTER:
        return making->definitions[root_of(making, operand->reg)].is_free;
    default:
        return false;
    }
}

static bool is_free_instruction(const struct making *making,
                                const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_LD:
        return instruction->space == PTX_SPACE_PARAM && making->function->is_entry &&
               instruction->vector <= 1;
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
        return instruction->operand_count >= 2 &&
               is_free_operand(making, &instruction->operands[1]);
    default:
        return false;
    }
}

/* Finds the constants and the copies. A register that is written more than once is neither. */
static void find_copies(struct making *making)
{
    const struct ptx_function *function = making->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *to = &instruction->operands[0];
        if (instruction->operand_count == 0 || to->kind != PTX_OPERAND_REGISTER ||
            !is_destination(instruction, 0) || making->definitions[to->reg].write_count != 1) {
            continue;
        }
        struct definition *definition = &making->definitions[to->reg];
        int32_t from = copied_register(making, instruction);
        if (from >= 0) {
            from = root_of(making, from);
        }
        if (from >= 0 && from != to->reg && making->definitions[from].write_count == 1) {
            definition->same_as = from;
        }
        definition->is_free = instruction->guard < 0 && is_free_instruction(making, instruction);
    }
}

static void note_read(struct making *making, size_t index, int32_t reg, bool is_write, bool is_base)
{
    (void)index;
    (void)is_write;
    making->definitions[reg].is_other_use |= !is_base;
}

/* Sums with a constant that are only addresses become the value that they add to. */
static void fold_addresses(struct making *making)
{
    const struct ptx_function *function = making->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        see_instruction(making, i, false, note_read);
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operands = instruction->operands;
        if (instruction->opcode != PTX_OP_ADD || ptx_type_is_float(instruction->type) ||
            instruction->guard >= 0 || operands[0].kind != PTX_OPERAND_REGISTER ||
            operands[1].kind != PTX_OPERAND_REGISTER || !is_free_operand(making, &operands[2]) ||
            operands[2].kind == PTX_OPERAND_REGISTER) {
            continue;
        }
        struct definition *sum = &making->definitions[operands[0].reg];
        const int32_t from = root_of(making, operands[1].reg);
        if (sum->write_count == 1 && !sum->is_other_use && from != operands[0].reg &&
            making->definitions[from].write_count == 1) {
            sum->same_as = from;
        }
    }
}

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
        if (operand->kind == PTX_OPERAND_SPECIAL && !is_uniform_special(operand->special) &&
            operand->special != PTX_SPECIAL_WARP_SZ) {
            return true;
        }
    }
    return ptx_type_is_float(instruction->type);
}

static void note_varying_read(struct making *making, size_t index, int32_t reg, bool is_write,
                              bool is_base)
{
    (void)is_write;
    (void)is_base;
    if (making->definitions[root_of(making, reg)].is_varying) {
        making->flow->steps[index].is_guarded = true; /* a mark for this pass alone */
    }
}

static void mark_varying(struct making *making, size_t index, int32_t reg, bool is_write,
                         bool is_base)
{
    (void)index;
    (void)is_write;
    (void)is_base;
    struct definition *definition = &making->definitions[root_of(making, reg)];
    making->is_changed |= !definition->is_varying;
    definition->is_varying = true;
}

static void find_varying(struct making *making)
{
    const struct ptx_function *function = making->function;
    int rounds = 0;
    do {
        making->is_changed = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            struct flow_step *step = &making->flow->steps[i];
            step->is_guarded = makes_varying(&function->instructions[i]);
            see_instruction(making, i, false, note_varying_read);
            if (step->is_guarded) {
                see_instruction(making, i, true, mark_varying);
            }
        }
    } while (making->is_changed && ++rounds < VARYING_ROUNDS_MAX);
}

static uint8_t cost_of(const struct making *making, int32_t reg)
{
    const enum ptx_type type = making->function->registers[reg].type;

    if (type == PTX_PRED || making->definitions[reg].is_free) {
        return 0;
    }
    const size_t bytes = ptx_type_bytes(type);
    return bytes <= 4 ? 1 : (uint8_t)(bytes / 4);
}

static void add_value(struct making *making, size_t index, int32_t reg, bool is_write, bool is_base)
{
    struct kernel_flow *flow = making->flow;
    const int32_t root = root_of(making, reg);

    (void)is_base;
    if (is_write && root != reg) {
        return; /* a copy: nothing is made */
    }
    if (cost_of(making, root) == 0) {
        return;
    }
    arena_grow(making->arena, &flow->values, &flow->value_capacity, flow->value_count + 1,
               sizeof *flow->values);
    flow->values[flow->value_count++] = (uint32_t)root;
    if (is_write) {
        flow->steps[index].writes++;
        flow->registers[root].write_count++;
    } else {
        flow->steps[index].reads++;
        flow->registers[root].read_count++;
    }
}

static bool is_copy(const struct making *making, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *to = &instruction->operands[0];

    return instruction->operand_count > 0 && is_destination(instruction, 0) &&
           to->kind == PTX_OPERAND_REGISTER && to->reg >= 0 &&
           (root_of(making, to->reg) != to->reg || making->definitions[to->reg].is_free);
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

static void make_steps(struct making *making)
{
    const struct ptx_function *function = making->function;

    for (size_t i = 0; i < function->instruction_count; i++) {
        struct flow_step *step = &making->flow->steps[i];
        *step = (struct flow_step){
            .kind = (uint8_t)kind_of(&function->instructions[i]),
            .is_guarded = function->instructions[i].guard >= 0,
            .first = (uint32_t)making->flow->value_count,
        };
        if (is_copy(making, &function->instructions[i])) {
            continue;
        }
        see_instruction(making, i, true, add_value);
        see_instruction(making, i, false, add_value);
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

void kernel_flow_make(struct arena *arena, const struct ptx_function *function,
                      struct kernel_flow *out_flow)
{
    struct making making = {
        .arena = arena,
        .function = function,
        .definitions = arena_array(arena, function->register_count, sizeof *making.definitions),
        .flow = out_flow,
    };

    *out_flow = (struct kernel_flow){
        .function = function,
        .steps = arena_array(arena, function->instruction_count, sizeof *out_flow->steps),
        .step_count = function->instruction_count,
        .registers = arena_array(arena, function->register_count, sizeof *out_flow->registers),
    };
    for (size_t i = 0; i < function->register_count; i++) {
        making.definitions[i].same_as = (int32_t)i;
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
        see_instruction(&making, i, true, note_write);
    }
    find_copies(&making);
    fold_addresses(&making);
    find_varying(&making);
    make_steps(&making);
    make_blocks(&making);
    for (size_t i = 0; i < function->register_count; i++) {
        out_flow->registers[i].registers = cost_of(&making, (int32_t)i);
        out_flow->registers[i].is_uniform =
            !making.definitions[root_of(&making, (int32_t)i)].is_varying;
    }
}
