/* lowering.c: functions, calls and branches; puts the finished kernel together. See lowering.h. */
#include "device/emulated/lowering.h"

#include "device/emulated/lowering_state.h"

#include <string.h>

enum { SCRATCH_BYTES = 256 }; /* at the beginning: slot 0 is read where an op has no operand */

static bool lower_function(struct lowering *state, struct frame *frame);

/* The op that an instruction becomes which cannot be executed. */
static void emit_unknown(struct lowering *state)
{
    lower_emit(state, OP_UNKNOWN)->flags |= OP_CONTROL;
}

static bool lower_branch(struct lowering *state)
{
    struct op *op = lower_emit(state, OP_BRANCH);
    op->flags |= OP_CONTROL;
    op->target = state->instruction->operands[0].target;
    return state->instruction->operands[0].kind == PTX_OPERAND_LABEL;
}

static bool lower_branch_table(struct lowering *state)
{
    const struct ptx_operand *table = &state->instruction->operands[1];
    uint32_t slot;
    if (table->kind != PTX_OPERAND_VECTOR || table->element_count == 0 ||
        !lower_source(state, &state->instruction->operands[0], 4, &slot)) {
        return false;
    }
    uint32_t first = (uint32_t)state->target_count;
    arena_grow(state->arena, &state->targets, &state->target_capacity,
               state->target_count + table->element_count, sizeof *state->targets);
    for (uint32_t i = 0; i < table->element_count; i++) {
        const struct ptx_operand *label =
            &state->frame->function->elements[table->element_first + i];
        state->targets[state->target_count++] = label->target;
    }
    struct op *op = lower_emit(state, OP_BRANCH_TABLE);
    op->flags |= OP_CONTROL;
    op->slot[1] = slot;
    op->target = table->element_count;
    op->pattern = first;
    return true;
}

/* ret: behind the call that was inlined; in a kernel, the end of the thread. */
static bool lower_return(struct lowering *state)
{
    struct frame *frame = state->frame;
    bool leaves = frame->caller == NULL || state->instruction->opcode == PTX_OP_EXIT;
    lower_emit(state, leaves ? OP_EXIT : OP_BRANCH)->flags |= OP_CONTROL;
    if (!leaves) {
        arena_grow(state->arena, &frame->return_jumps, &frame->return_jump_capacity,
                   frame->return_jump_count + 1, sizeof *frame->return_jumps);
        frame->return_jumps[frame->return_jump_count++] = (uint32_t)state->op_count - 1;
    }
    return true;
}

/* Places of the .param variables of the caller that a call list names. */
static bool list_places(struct lowering *state, uint32_t first, uint32_t count, size_t expected,
                        const uint64_t **out_places)
{
    const struct frame *frame = state->frame;
    uint64_t *places = arena_array(state->arena, expected + 1, sizeof *places);
    if (count != expected) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *element = &frame->function->elements[first + i];
        uint8_t space;
        uint32_t slot;
        if (element->kind != PTX_OPERAND_SYMBOL || element->scope != PTX_SCOPE_FUNCTION ||
            !lower_symbol(state, element, false, &space, &slot) || space != PTX_SPACE_LOCAL) {
            return false;
        }
        places[i] = frame->variables[element->symbol].offset;
    }
    *out_places = places;
    return true;
}

static struct frame *new_frame(struct lowering *state, const struct ptx_function *function)
{
    struct frame *frame = arena_alloc(state->arena, sizeof *frame);
    frame->function = function;
    frame->caller = state->frame;
    frame->depth = state->frame == NULL ? 0 : state->frame->depth + 1;
    frame->slots = arena_array(state->arena, function->register_count + 1, sizeof *frame->slots);
    frame->variables =
        arena_array(state->arena, function->variable_count + 1, sizeof *frame->variables);
    frame->starts =
        arena_array(state->arena, function->instruction_count + 1, sizeof *frame->starts);
    lower_place_shared(state, function);
    return frame;
}

/* A call of a function with a body: the body stands in its place. With a guard, a branch leads
 * around it. */
static bool lower_call(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    struct frame *caller = state->frame;
    const struct ptx_operand *target = &instruction->operands[0];
    if (target->kind != PTX_OPERAND_FUNCTION || caller->depth + 1 >= LOWERED_CALL_DEPTH_MAX) {
        return false;
    }
    const struct ptx_function *callee = &state->module->functions[target->symbol];
    const uint64_t *parameters;
    const uint64_t *returns;
    if (callee->is_declaration || callee->is_entry ||
        !list_places(state, instruction->arguments_first, instruction->arguments_count,
                     callee->parameter_count, &parameters) ||
        !list_places(state, instruction->returns_first, instruction->returns_count,
                     callee->return_count, &returns)) {
        return false;
    }
    struct frame *frame = new_frame(state, callee);
    frame->parameters = parameters;
    frame->returns = returns;
    struct op *around = lower_emit(state, instruction->guard >= 0 ? OP_BRANCH : OP_NOTHING);
    size_t around_index = state->op_count - 1;
    around->flags ^= instruction->guard >= 0 ? OP_CONTROL | OP_GUARD_NEGATED : 0;
    state->ordinal++;
    state->frame = frame;
    bool is_lowered = lower_function(state, frame);
    state->frame = caller;
    state->instruction = instruction;
    if (!is_lowered) {
        return false;
    }
    for (size_t i = 0; i < frame->return_jump_count; i++) {
        state->ops[frame->return_jumps[i]].target = (uint32_t)state->op_count;
    }
    if (instruction->guard >= 0) {
        state->ops[around_index].target = (uint32_t)state->op_count;
    }
    state->ordinal--;
    return true;
}

static bool lower_instruction(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_UNKNOWN:
        return false;
    case PTX_OP_BRA:
        return lower_branch(state);
    case PTX_OP_BRX_IDX:
        return lower_branch_table(state);
    case PTX_OP_CALL:
        return lower_call(state);
    case PTX_OP_RET:
    case PTX_OP_EXIT:
        return lower_return(state);
    case PTX_OP_TRAP:
        lower_emit(state, OP_TRAP)->flags |= OP_CONTROL;
        return true;
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
        return lower_memory(state);
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
    case PTX_OP_MATCH:
    case PTX_OP_REDUX:
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_NANOSLEEP:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
        return lower_threads(state);
    default:
        return lower_arithmetic(state);
    }
}

/* Turns the instruction numbers in the branches of a function into op numbers. */
static void resolve_branches(struct lowering *state, const struct frame *frame)
{
    for (size_t i = 0; i < frame->function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &frame->function->instructions[i];
        struct op *op = &state->ops[frame->starts[i]];
        if (instruction->opcode == PTX_OP_BRA && op->code == OP_BRANCH) {
            op->target = frame->starts[op->target];
        }
        for (uint32_t at = frame->starts[i];
             instruction->opcode == PTX_OP_BRX_IDX && at < frame->starts[i + 1]; at++) {
            const struct op *table = &state->ops[at];
            for (uint32_t k = 0; table->code == OP_BRANCH_TABLE && k < table->target; k++) {
                uint32_t *target = &state->targets[table->pattern + k];
                *target = frame->starts[*target];
            }
        }
    }
}

static bool is_too_large(const struct lowering *state)
{
    return state->op_count > LOWERED_OPS_MAX ||
           state->register_bytes + state->constant_bytes > REGISTER_FILE_BYTES_MAX ||
           state->code->local_bytes > LOCAL_BYTES_MAX ||
           state->code->static_shared_bytes > SHARED_BYTES_MAX;
}

static bool lower_function(struct lowering *state, struct frame *frame)
{
    const struct ptx_function *function = frame->function;
    for (size_t i = 0; i < function->instruction_count; i++) {
        size_t first = state->op_count;
        frame->starts[i] = (uint32_t)first;
        state->instruction = &function->instructions[i];
        state->is_too_large |= is_too_large(state);
        if (state->is_too_large) {
            return false;
        }
        uint32_t ordinal = state->ordinal;
        if (!lower_instruction(state)) {
            state->op_count = first;
            state->ordinal = ordinal;
            state->instruction = &function->instructions[i];
            emit_unknown(state);
        }
        state->ops[first].flags |= (state->ops[first].flags & OP_GUARDED) != 0 ? OP_COUNTED : 0;
        state->ordinal++;
    }
    frame->starts[function->instruction_count] = (uint32_t)state->op_count;
    resolve_branches(state, frame);
    return true;
}

static uint32_t place_slot(const struct lowering *state, uint32_t slot)
{
    bool is_constant = slot != UINT32_MAX && (slot & CONSTANT_SLOT) != 0;
    return is_constant ? (uint32_t)state->register_bytes + (slot & ~CONSTANT_SLOT) : slot;
}

/* Puts the constants behind the registers and dynamic shared memory behind the static one. */
static void finish_slots(struct lowering *state)
{
    struct kernel_code *code = state->code;
    state->register_bytes = (state->register_bytes + 63) / 64 * 64;
    for (size_t i = 0; i < state->op_count; i++) {
        struct op *op = &state->ops[i];
        op->run = state->variant->handler(op->code);
        op->guard = place_slot(state, op->guard);
        for (unsigned k = 0; k < OP_SLOTS; k++) {
            op->slot[k] = place_slot(state, op->slot[k]);
        }
    }
    uint64_t alignment = state->dynamic_alignment < 16 ? 16 : state->dynamic_alignment;
    code->dynamic_shared_start =
        (code->static_shared_bytes + alignment - 1) / alignment * alignment;
    for (size_t i = 0; i < state->constant_count; i++) {
        struct slot_constant *constant = &state->constants[i];
        constant->slot = place_slot(state, constant->slot);
        constant->bits += constant->add_static_shared ? code->dynamic_shared_start : 0;
    }
    for (size_t i = 0; i < state->special_count; i++) {
        state->specials[i].slot = place_slot(state, state->specials[i].slot);
    }
    for (size_t i = 0; i < state->shared_count; i++) {
        const struct ptx_variable *variable = state->shared[i].variable;
        if (variable->is_extern) {
            arena_grow(state->arena, &state->tiles, &state->tile_capacity, state->tile_count + 1,
                       sizeof *state->tiles);
            state->tiles[state->tile_count++] =
                (struct shared_tile){.name = variable->name, .start = code->dynamic_shared_start};
        }
    }
}

enum error kernel_lower(struct arena *arena, const struct ptx_module *module,
                        const struct ptx_function *function, const uint64_t *variables,
                        const struct warp_variant *variant, struct kernel_code **out_code,
                        struct diagnostic *diagnostic)
{
    struct kernel_code *code = arena_alloc(arena, sizeof *code);
    struct lowering state = {
        .arena = arena,
        .module = module,
        .variables = variables,
        .variant = variant,
        .code = code,
        .register_bytes = SCRATCH_BYTES,
    };
    state.frame = new_frame(&state, function);
    if (!lower_function(&state, state.frame) || is_too_large(&state)) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "kernel %s is too large for the emulated device: %d instructions, %d bytes "
                       "of registers in a warp, %d of local and %d of shared memory are allowed",
                       function->name, (int)LOWERED_OPS_MAX, (int)REGISTER_FILE_BYTES_MAX,
                       (int)LOCAL_BYTES_MAX, (int)SHARED_BYTES_MAX);
        return ERROR_LIMIT;
    }
    lower_mark_addresses(&state);
    finish_slots(&state);
    code->module = module;
    code->function = function;
    code->ops = state.ops;
    code->op_count = state.op_count;
    code->sources = state.sources;
    code->targets = state.targets;
    code->target_count = state.target_count;
    code->constants = state.constants;
    code->constant_count = state.constant_count;
    code->specials = state.specials;
    code->special_count = state.special_count;
    code->tiles = state.tiles;
    code->tile_count = state.tile_count;
    code->pattern_count = (uint32_t)state.pattern_count;
    code->register_bytes = (uint32_t)state.register_bytes;
    code->file_bytes = (uint32_t)(state.register_bytes + state.constant_bytes + SCRATCH_BYTES);
    *out_code = code;
    return ERROR_NONE;
}
