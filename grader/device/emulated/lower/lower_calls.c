/* lower_calls.c: call and ret.
 *
 * A direct call of a small function that cannot reach itself is inlined: the body stands in its
 * place, with slots of its own. Every other function gets a body behind the kernel, once, however
 * often it is called (call_stack.h). Both pass values through the local memory of the thread, where
 * the .param variables around a call lie. Functions without a body are those of the device runtime
 * (device_calls.h) and of libdevice (libdevice.h).
 */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/device_calls.h"
#include "device/emulated/libdevice/libdevice.h"

#include <stdlib.h>
#include <string.h>

/* A longer function, or one that is called in a kernel that has grown, is not inlined. */
enum { INLINED_INSTRUCTIONS_MAX = 512, INLINED_INTO_OPS_MAX = 1 << 15 };

/* The type of a value that is passed in a register or as a number. */
static uint8_t type_of_bytes(size_t bytes)
{
    return bytes <= 4 ? (bytes == 2 ? PTX_B16 : PTX_B32) : PTX_B64;
}

/* Emits a load or store of one value in the frame. */
static void emit_move(struct lowering *state, bool is_load, uint32_t slot, unsigned bytes,
                      uint64_t offset)
{
    enum op_code code = bytes == 8   ? (is_load ? OP_LOAD_64 : OP_STORE_64)
                        : bytes == 4 ? (is_load ? OP_LOAD_32 : OP_STORE_32)
                                     : (is_load ? OP_LOAD_ANY : OP_STORE_ANY);
    uint32_t base = lower_frame_base(state, &offset);
    struct op *op = lower_emit(state, code);
    op->slot[0] = slot;
    op->slot[SLOT_ADDRESS] = base;
    op->type = type_of_bytes(bytes);
    op->bytes = (uint8_t)bytes;
    op->count = 1;
    op->slot_bytes = (uint8_t)bytes;
    op->space = PTX_SPACE_LOCAL;
    op->address_is_wide = true;
    op->offset = (int32_t)offset;
    op->pattern = lower_pattern(state, op);
}

/* The place of one value of a call list: of the .param variable that it names, or a new one for
 * what stands in a register or is a number. */
static bool lower_value(struct lowering *state, const struct ptx_operand *value, bool is_argument,
                        unsigned bytes, struct call_place *out_place)
{
    uint32_t slot;
    if (value->kind == PTX_OPERAND_SYMBOL) {
        return lower_frame_place(state, value, out_place);
    }
    unsigned width = bytes <= 4 ? 4 : 8;
    if (value->kind == PTX_OPERAND_REGISTER) {
        unsigned own = lower_register_bytes(state, value->reg);
        bytes = bytes == 0 ? own : bytes;
        width = own <= 4 ? 4 : 8;
    }
    if (bytes != 2 && bytes != 4 && bytes != 8) {
        return false;
    }
    *out_place = (struct call_place){lower_local_room(state, 8, 8), bytes};
    if (!is_argument) {
        return true; /* loaded behind the call */
    }
    if (!lower_source(state, value, width, &slot)) {
        return false;
    }
    emit_move(state, false, slot, bytes, out_place->offset);
    return true;
}

/* The places of a call list; `expected` are those of the callee, NULL where it is not known. */
static bool lower_values(struct lowering *state, uint32_t first, uint32_t count, bool is_argument,
                         const struct ptx_parameter *expected, struct call_places *out_places)
{
    const struct frame *frame = state->frame;
    struct call_place *places = arena_array(state->arena, (size_t)count + 1, sizeof *places);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *value = &frame->function->elements[first + i];
        unsigned bytes =
            expected != NULL && expected[i].bytes <= 8 ? (unsigned)expected[i].bytes : 0;
        if (!lower_value(state, value, is_argument, bytes, &places[i]) ||
            (expected != NULL && places[i].bytes != expected[i].bytes)) {
            return false;
        }
    }
    *out_places = (struct call_places){places, count};
    return true;
}

/* Loads results that go to registers. */
static bool load_results(struct lowering *state, const struct call_places *places)
{
    const struct ptx_instruction *instruction = state->instruction;
    for (size_t i = 0; i < places->count; i++) {
        const struct ptx_operand *value =
            &state->frame->function->elements[instruction->returns_first + i];
        uint32_t slot;
        if (value->kind == PTX_OPERAND_SYMBOL) {
            continue;
        }
        unsigned bytes = (unsigned)places->items[i].bytes;
        if (!lower_destination(state, value, bytes <= 4 ? 4 : 8, &slot)) {
            return false;
        }
        emit_move(state, true, slot, bytes, places->items[i].offset);
    }
    return true;
}

/* What a call passes. */
struct call_lists {
    struct call_places arguments, returns;
};

static const uint64_t *offsets_of(struct lowering *state, const struct call_places *places)
{
    uint64_t *offsets = arena_array(state->arena, places->count + 1, sizeof *offsets);
    for (size_t i = 0; i < places->count; i++) {
        offsets[i] = places->items[i].offset;
    }
    return offsets;
}

/* cudaGraphSetConditional is a store: a handle is the address of its value
 * (cudart/runtime_condition.c). */
static bool lower_set_conditional(struct lowering *state, const struct call_places *arguments)
{
    uint32_t handle = lower_new_slot(state, 8);
    uint32_t value = lower_new_slot(state, 4);
    emit_move(state, true, handle, 8, arguments->items[0].offset);
    emit_move(state, true, value, 4, arguments->items[1].offset);
    struct op *op = lower_emit(state, OP_STORE_32);
    op->slot[0] = value;
    op->slot[SLOT_ADDRESS] = handle;
    op->type = PTX_B32;
    op->bytes = 4;
    op->count = 1;
    op->slot_bytes = 4;
    op->space = PTX_SPACE_GLOBAL;
    op->address_is_wide = true;
    op->pattern = lower_pattern(state, op);
    return true;
}

static bool is_set_conditional(const struct ptx_function *function)
{
    return strcmp(function->name, "cudaGraphSetConditional") == 0 &&
           function->parameter_count == 2 && function->parameters[0].bytes == 8 &&
           function->parameters[1].bytes == 4 && function->return_count == 0;
}

/* The body of the callee in the place of the call. With a guard, a branch leads around it. */
static bool lower_inlined(struct lowering *state, const struct ptx_function *callee,
                          const struct call_lists *lists)
{
    const struct ptx_instruction *instruction = state->instruction;
    struct frame *caller = state->frame;
    struct frame *frame = lower_new_frame(state, callee);
    frame->parameters = offsets_of(state, &lists->arguments);
    frame->returns = offsets_of(state, &lists->returns);
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
    return load_results(state, &lists->returns);
}

/* Notes a call instruction and emits its op. */
static struct op *emit_call(struct lowering *state, enum op_code code,
                            const struct call_lists *lists, const struct ptx_function *function)
{
    struct kernel_code *kernel = state->code;
    arena_grow(state->arena, &state->calls, &state->call_capacity, kernel->call_count + 1,
               sizeof *state->calls);
    struct op *op = lower_emit(state, code);
    op->target = (uint32_t)kernel->call_count;
    op->space = PTX_SPACE_GENERIC;
    state->calls[kernel->call_count++] = (struct call_site){
        .arguments = lists->arguments,
        .returns = lists->returns,
        .base_slot = state->body->base_slot,
        .return_op = (uint32_t)state->op_count,
        .function = function,
    };
    return op;
}

/* The number of the body of a function, which is lowered when the kernel is done. */
static uint32_t body_of(struct lowering *state, const struct ptx_function *function)
{
    uint32_t *number = &state->body_numbers[function - state->module->functions];
    if (*number == 0) {
        arena_grow(state->arena, &state->bodies, &state->body_capacity, state->body_count + 1,
                   sizeof *state->bodies);
        struct lowered_body *body = arena_alloc(state->arena, sizeof *body);
        body->function = function;
        body->index = (uint32_t)state->body_count;
        state->bodies[state->body_count++] = body;
        *number = (uint32_t)state->body_count;
    }
    return *number - 1;
}

/* A call through a pointer may lead to every function whose address is taken. */
static void need_all_bodies(struct lowering *state)
{
    const struct ptx_module *module = state->module;
    for (size_t i = 0; i < module->function_count && !state->is_indirect; i++) {
        const struct ptx_function *function = &module->functions[i];
        if (state->graph->is_address_taken[i] && !function->is_entry && !function->is_declaration) {
            body_of(state, function);
        }
    }
    state->is_indirect = true;
    state->code->has_open_stack = true;
}

static bool lower_indirect(struct lowering *state, const struct call_lists *lists)
{
    uint32_t slot;
    if (!lower_source(state, &state->instruction->operands[0], 8, &slot)) {
        return false;
    }
    need_all_bodies(state);
    emit_call(state, OP_CALL, lists, NULL)->flags |= OP_CONTROL;
    struct call_site *site = &state->calls[state->code->call_count - 1];
    site->body = CALL_INDIRECT;
    site->address_slot = slot;
    return load_results(state, &lists->returns);
}

/* A function of the device runtime or of libdevice, or one that nobody has. */
static bool lower_runtime_call(struct lowering *state, const struct ptx_function *callee,
                               const struct call_lists *lists)
{
    const struct device_call *known = device_call_find(callee);
    const struct libdevice_function *libdevice = libdevice_find(callee);
    if (libdevice != NULL) {
        emit_call(state, OP_LIBDEVICE, lists, callee);
        state->calls[state->code->call_count - 1].libdevice = libdevice;
        return load_results(state, &lists->returns);
    }
    if (is_set_conditional(callee)) {
        return lower_set_conditional(state, &lists->arguments);
    }
    if (known == NULL) {
        emit_call(state, OP_UNKNOWN_CALL, lists, callee)->flags |= OP_CONTROL;
        return true;
    }
    struct op *op = emit_call(state, (enum op_code)known->code, lists, callee);
    op->flags |= known->is_control ? OP_CONTROL : 0;
    state->code->uses_heap |= known->uses_heap;
    state->code->runs_in_order |= known->uses_heap;
    return load_results(state, &lists->returns);
}

bool lower_call(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    const struct ptx_operand *target = &instruction->operands[0];
    bool is_direct = target->kind == PTX_OPERAND_FUNCTION;
    const struct ptx_function *callee =
        is_direct ? &state->module->functions[target->symbol] : NULL;
    struct call_lists lists;
    if (callee != NULL &&
        (callee->is_entry || callee->parameter_count != instruction->arguments_count ||
         callee->return_count != instruction->returns_count)) {
        return false;
    }
    if (!lower_values(state, instruction->arguments_first, instruction->arguments_count, true,
                      callee == NULL ? NULL : callee->parameters, &lists.arguments) ||
        !lower_values(state, instruction->returns_first, instruction->returns_count, false,
                      callee == NULL ? NULL : callee->returns, &lists.returns)) {
        return false;
    }
    if (callee == NULL) {
        return lower_indirect(state, &lists);
    }
    if (callee->is_declaration) {
        return lower_runtime_call(state, callee, &lists);
    }
    bool may_recur = state->graph->may_recur[target->symbol];
    if (!may_recur && callee->instruction_count <= INLINED_INSTRUCTIONS_MAX &&
        state->op_count < INLINED_INTO_OPS_MAX &&
        state->frame->depth + 1 < LOWERED_CALL_DEPTH_MAX) {
        return lower_inlined(state, callee, &lists);
    }
    state->code->has_open_stack |= may_recur;
    uint32_t body = body_of(state, callee);
    emit_call(state, OP_CALL, &lists, callee)->flags |= OP_CONTROL;
    state->calls[state->code->call_count - 1].body = (int32_t)body;
    return load_results(state, &lists.returns);
}

bool lower_return(struct lowering *state)
{
    struct frame *frame = state->frame;
    if (state->instruction->opcode == PTX_OP_EXIT || (frame->caller == NULL && frame->is_entry)) {
        lower_emit(state, OP_EXIT)->flags |= OP_CONTROL;
        return true;
    }
    if (frame->caller == NULL) {
        struct op *op = lower_emit(state, OP_RETURN);
        op->flags |= OP_CONTROL;
        op->target = state->body->index;
        return true;
    }
    lower_emit(state, OP_BRANCH)->flags |= OP_CONTROL;
    arena_grow(state->arena, &frame->return_jumps, &frame->return_jump_capacity,
               frame->return_jump_count + 1, sizeof *frame->return_jumps);
    frame->return_jumps[frame->return_jump_count++] = (uint32_t)state->op_count - 1;
    return true;
}

/* Places of the parameters or results of a function in its frame. */
static struct call_places own_places(struct lowering *state, const struct ptx_parameter *parameters,
                                     size_t count)
{
    struct call_place *places = arena_array(state->arena, count + 1, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = parameters[i].bytes;
        places[i] =
            (struct call_place){lower_local_room(state, bytes, parameters[i].alignment), bytes};
    }
    return (struct call_places){places, count};
}

/* Lowers one body; state->body is set. */
static bool lower_body(struct lowering *state)
{
    const struct ptx_function *function = state->body->function;
    state->frame = NULL;
    state->predicates_left = 0;
    state->body->is_saved = state->graph->may_recur[function - state->module->functions];
    state->body->base_slot = lower_new_slot(state, 8);
    struct frame *frame = lower_new_frame(state, function);
    state->body->first_op = (uint32_t)state->op_count;
    state->body->parameters = own_places(state, function->parameters, function->parameter_count);
    state->body->returns = own_places(state, function->returns, function->return_count);
    frame->parameters = offsets_of(state, &state->body->parameters);
    frame->returns = offsets_of(state, &state->body->returns);
    state->frame = frame;
    return lower_function(state, frame);
}

static int compare_bodies(const void *left, const void *right)
{
    const struct ptx_function *a = (*(struct lowered_body *const *)left)->function;
    const struct ptx_function *b = (*(struct lowered_body *const *)right)->function;
    return a < b ? -1 : a > b;
}

/* What a device would keep in memory of an activation: its .local variables. */
static uint64_t variable_bytes(const struct ptx_function *function)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < function->variable_count; i++) {
        bool is_local = function->variables[i].space == PTX_SPACE_LOCAL;
        bytes += is_local ? function->variables[i].bytes : 0;
    }
    return bytes;
}

static size_t bytes_saved(const struct lowered_body *body)
{
    size_t bytes = 0;
    for (size_t i = 0; i < body->saved_count; i++) {
        bytes += body->saved[i].bytes == 0 ? 1 : body->saved[i].bytes;
    }
    return bytes;
}

/* Sorts the bodies by function, so that a pointer's is found by halving; calls and returns follow.
 */
static void sort_bodies(struct lowering *state)
{
    uint32_t *places = arena_array(state->arena, state->body_count + 1, sizeof *places);
    if (state->body_count > 0) {
        qsort(state->bodies, state->body_count, sizeof *state->bodies, compare_bodies);
    }
    for (size_t i = 0; i < state->body_count; i++) {
        places[state->bodies[i]->index] = (uint32_t)i;
    }
    for (size_t i = 0; i < state->code->call_count; i++) {
        struct call_site *site = &state->calls[i];
        site->body = site->body < 0 ? site->body : (int32_t)places[site->body];
    }
    for (size_t i = 0; i < state->op_count; i++) {
        struct op *op = &state->ops[i];
        op->target = op->code == OP_RETURN ? places[op->target] : op->target;
    }
}

void lower_forget_bodies(struct lowering *state)
{
    for (size_t i = 0; i < state->body_count; i++) {
        state->body_numbers[state->bodies[i]->function - state->module->functions] = 0;
    }
}

bool lower_bodies(struct lowering *state)
{
    struct kernel_code *code = state->code;
    for (size_t i = 0; i < state->body_count; i++) {
        state->body = state->bodies[i];
        if (!lower_body(state)) {
            return false;
        }
    }
    sort_bodies(state);
    struct call_body *bodies = arena_array(state->arena, state->body_count + 1, sizeof *bodies);
    for (size_t i = 0; i < state->body_count; i++) {
        const struct lowered_body *from = state->bodies[i];
        bodies[i] = (struct call_body){
            .function = from->function,
            .first_op = from->first_op,
            .base_slot = from->base_slot,
            .frame_bytes = from->local_bytes,
            .variable_bytes = variable_bytes(from->function),
            .parameters = from->parameters,
            .returns = from->returns,
            .saved = from->saved,
            .saved_count = from->saved_count,
            .saved_bytes = bytes_saved(from),
        };
    }
    code->bodies = bodies;
    code->body_count = state->body_count;
    code->calls = state->calls;
    return true;
}
