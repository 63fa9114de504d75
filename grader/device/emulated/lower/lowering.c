/* lowering.c: functions, calls and branches; puts the finished kernel together. See lowering.h. */
#include "device/emulated/lower/lowering.h"

#include "device/emulated/exec/launch_work.h"
#include "device/emulated/lower/lowering_state.h"

#include <string.h>

enum { SCRATCH_BYTES = 256 }; /* at the beginning: slot 0 is read where an op has no operand */

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

struct frame *lower_new_frame(struct lowering *state, const struct ptx_function *function)
{
    struct frame *frame = arena_alloc(state->arena, sizeof *frame);
    frame->function = function;
    frame->caller = state->frame;
    frame->is_entry = state->frame == NULL && state->body->base_slot == NO_BASE;
    frame->depth = state->frame == NULL ? 0 : state->frame->depth + 1;
    frame->slots = arena_array(state->arena, function->register_count + 1, sizeof *frame->slots);
    frame->variables =
        arena_array(state->arena, function->variable_count + 1, sizeof *frame->variables);
    frame->starts =
        arena_array(state->arena, function->instruction_count + 1, sizeof *frame->starts);
    lower_place_shared(state, function);
    return frame;
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
    case PTX_OP_TEX:
    case PTX_OP_TLD4:
    case PTX_OP_SULD:
    case PTX_OP_SUST:
    case PTX_OP_SURED:
    case PTX_OP_TXQ:
    case PTX_OP_SUQ:
        return lower_texture(state);
    case PTX_OP_CP:
        return lower_copies(state);
    case PTX_OP_MBARRIER:
        return lower_mbarrier(state);
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
    case PTX_OP_WMMA:
    case PTX_OP_MMA:
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
    case PTX_OP_MOVMATRIX:
        return lower_matrix(state);
    case PTX_OP_SETP:
    case PTX_OP_SET:
    case PTX_OP_TESTP:
        return lower_comparison(state);
    case PTX_OP_CVT:
    case PTX_OP_CVTA:
    case PTX_OP_ISSPACEP:
        return lower_conversion(state);
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
           state->body->local_bytes > LOCAL_BYTES_MAX ||
           state->code->static_shared_bytes > SHARED_BYTES_MAX;
}

bool lower_function(struct lowering *state, struct frame *frame)
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

/* Numbers what is watched and counted, and adds up what it costs. */
static void number_accesses(struct lowering *state)
{
    uint32_t work = 0; /* at most LOWERED_OPS_MAX times 255 */
    for (size_t i = 0; i < state->op_count; i++) {
        struct op *op = &state->ops[i];
        op->own_work = op_work(op->code, op->space);
        op->work = work;
        work += op->own_work;
        op->access_index = op_is_counted(op) ? state->code->access_count++ : 0;
    }
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
    for (size_t i = 0; i < state->product_count * 4 * PTX_FRAGMENT_MAX; i++) {
        const size_t each = 4 * PTX_FRAGMENT_MAX;
        uint32_t *slot =
            &state->products[i / each].slots[i % each / PTX_FRAGMENT_MAX][i % PTX_FRAGMENT_MAX];
        *slot = place_slot(state, *slot);
    }
    for (size_t i = 0; i < code->call_count; i++) {
        state->calls[i].address_slot = place_slot(state, state->calls[i].address_slot);
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
            state->tiles[state->tile_count++] = (struct shared_tile){
                .name = variable->name, .start = code->dynamic_shared_start, .is_dynamic = true};
        }
    }
}

enum error kernel_lower(struct arena *arena, const struct lowering_module *module,
                        const struct ptx_function *function, struct kernel_code **out_code,
                        struct diagnostic *diagnostic)
{
    struct kernel_code *code = arena_alloc(arena, sizeof *code);
    struct lowered_body kernel = {.function = function};
    struct lowering state = {
        .arena = arena,
        .module = module->ptx,
        .module_index = module->index,
        .variables = module->variables,
        .graph = module->graph,
        .variant = module->variant,
        .body_numbers = module->body_numbers,
        .code = code,
        .body = &kernel,
        .register_bytes = SCRATCH_BYTES,
    };
    state.frame = lower_new_frame(&state, function);
    bool is_lowered = lower_function(&state, state.frame);
    code->local_bytes = kernel.local_bytes;
    is_lowered = is_lowered && lower_bodies(&state);
    lower_forget_bodies(&state);
    if (!is_lowered || is_too_large(&state)) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "kernel %s is too large for the emulated device, which allows at most %d "
                       "instructions, %d bytes of registers per warp, %d bytes of local memory "
                       "and %d bytes of shared memory",
                       function->name, (int)LOWERED_OPS_MAX, (int)REGISTER_FILE_BYTES_MAX,
                       (int)LOCAL_BYTES_MAX, (int)SHARED_BYTES_MAX);
        return ERROR_LIMIT;
    }
    lower_mark_addresses(&state);
    number_accesses(&state);
    finish_slots(&state);
    lower_tiles(&state);
    code->module = module->ptx;
    code->module_index = module->index;
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
    code->registers = state.registers;
    code->register_count = state.register_count;
    code->tiles = state.tiles;
    code->tile_count = state.tile_count;
    code->places = state.places;
    code->place_count = state.place_count;
    code->products = state.products;
    code->product_count = state.product_count;
    code->pattern_count = (uint32_t)state.pattern_count;
    code->register_bytes = (uint32_t)state.register_bytes;
    code->file_bytes = (uint32_t)(state.register_bytes + state.constant_bytes + SCRATCH_BYTES);
    lower_watch(&state);
    state.variant->link(state.ops, state.op_count);
    *out_code = code;
    return ERROR_NONE;
}
