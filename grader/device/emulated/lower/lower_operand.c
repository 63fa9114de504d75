/* lower_operand.c: slots of registers, constants, special registers and symbols. */
#include "device/emulated/lower/lowering_state.h"

struct op *lower_emit(struct lowering *state, enum op_code code)
{
    arena_grow(state->arena, &state->ops, &state->op_capacity, state->op_count + 1,
               sizeof *state->ops);
    arena_grow(state->arena, &state->sources, &state->source_capacity, state->op_count + 1,
               sizeof *state->sources);
    struct op *op = &state->ops[state->op_count];
    *op = (struct op){.code = code, .ordinal = state->ordinal};
    state->sources[state->op_count++] = state->instruction;
    if (state->instruction->guard >= 0) {
        op->flags = OP_GUARDED | (state->instruction->guard_negated ? OP_GUARD_NEGATED : 0);
        const struct ptx_operand guard = {.kind = PTX_OPERAND_REGISTER,
                                          .reg = state->instruction->guard};
        if (!lower_destination(state, &guard, 0, &op->guard)) {
            op->guard = lower_constant(state, 0, 0);
        }
    }
    return op;
}

/* Notes a register that a call of the body has to save. */
static uint32_t note_slot(struct lowering *state, uint32_t slot, unsigned bytes)
{
    struct lowered_body *body = state->body;
    if (body->is_saved) {
        arena_grow(state->arena, &body->saved, &body->saved_capacity, body->saved_count + 1,
                   sizeof *body->saved);
        body->saved[body->saved_count++] = (struct slot_saved){slot, bytes};
    }
    return slot;
}

uint32_t lower_new_slot(struct lowering *state, unsigned bytes)
{
    if (bytes == 0) {
        if (state->predicates_left == 0) {
            state->predicate_slot = (uint32_t)state->register_bytes;
            state->predicates_left = 16;
            state->register_bytes += 64;
        }
        state->predicates_left--;
        return note_slot(state, state->predicate_slot + state->predicates_left * 4, 0);
    }
    uint32_t slot = (uint32_t)state->register_bytes;
    state->register_bytes += (uint64_t)LANES * bytes;
    return note_slot(state, slot, bytes);
}

unsigned lower_register_bytes(const struct lowering *state, int32_t reg)
{
    enum ptx_type type = state->frame->function->registers[reg].type;
    if (type == PTX_PRED) {
        return 0;
    }
    size_t bytes = ptx_type_bytes(type);
    return bytes <= 2 ? 2 : (unsigned)bytes;
}

static struct slot_constant *new_constant(struct lowering *state, unsigned bytes, uint64_t bits)
{
    arena_grow(state->arena, &state->constants, &state->constant_capacity,
               state->constant_count + 1, sizeof *state->constants);
    struct slot_constant *constant = &state->constants[state->constant_count++];
    *constant = (struct slot_constant){
        .slot = CONSTANT_SLOT | (uint32_t)state->constant_bytes,
        .bytes = (uint8_t)bytes,
        .is_predicate = bytes == 0,
        .bits = bits,
    };
    state->constant_bytes += bytes == 0 ? 64 : (uint64_t)LANES * bytes;
    return constant;
}

uint32_t lower_constant(struct lowering *state, unsigned bytes, uint64_t bits)
{
    enum { LOOK_BACK = 256 };
    size_t first = state->constant_count > LOOK_BACK ? state->constant_count - LOOK_BACK : 0;
    for (size_t i = first; i < state->constant_count; i++) {
        const struct slot_constant *known = &state->constants[i];
        if (known->bits == bits && known->bytes == bytes && known->shared == 0) {
            return known->slot;
        }
    }
    return new_constant(state, bytes, bits)->slot;
}

static bool is_clock(uint8_t special)
{
    return special == PTX_SPECIAL_CLOCK || special == PTX_SPECIAL_CLOCK_HI ||
           special == PTX_SPECIAL_CLOCK64 || special == PTX_SPECIAL_GLOBALTIMER ||
           special == PTX_SPECIAL_GLOBALTIMER_LO || special == PTX_SPECIAL_GLOBALTIMER_HI;
}

static uint32_t special_slot(struct lowering *state, uint8_t special, unsigned bytes)
{
    if (is_clock(special)) {
        uint32_t slot = lower_new_slot(state, bytes);
        struct op *op = lower_emit(state, OP_CLOCK);
        op->slot[0] = slot;
        op->slot_bytes = (uint8_t)bytes;
        op->kind = special;
        return slot;
    }
    for (size_t i = 0; i < state->special_count; i++) {
        if (state->specials[i].special == special && state->specials[i].bytes == bytes) {
            return state->specials[i].slot;
        }
    }
    arena_grow(state->arena, &state->specials, &state->special_capacity, state->special_count + 1,
               sizeof *state->specials);
    uint32_t slot = CONSTANT_SLOT | (uint32_t)state->constant_bytes;
    state->constant_bytes += (uint64_t)LANES * bytes;
    state->specials[state->special_count++] =
        (struct slot_special){.slot = slot, .bytes = (uint8_t)bytes, .special = special};
    return slot;
}

/* Notes a register that holds poison until it is written; predicates are false. */
static void note_register(struct lowering *state, uint32_t slot, int32_t reg)
{
    enum ptx_type type = state->frame->function->registers[reg].type;
    if (type != PTX_PRED) {
        arena_grow(state->arena, &state->registers, &state->register_capacity,
                   state->register_count + 1, sizeof *state->registers);
        state->registers[state->register_count++] =
            (struct slot_register){slot, (uint8_t)ptx_type_bytes(type)};
    }
}

/* The slot of a register if it is as wide as is asked for; registers of 16 bits lie in 4 bytes. */
static bool register_slot(struct lowering *state, int32_t reg, unsigned bytes, uint32_t *out_slot)
{
    unsigned own = lower_register_bytes(state, reg);
    if ((own == 2 ? 4 : own) != bytes) {
        return false;
    }
    uint32_t *slot = &state->frame->slots[reg];
    if (*slot == 0) {
        *slot = lower_new_slot(state, bytes);
        note_register(state, *slot, reg);
    }
    *out_slot = *slot;
    return true;
}

bool lower_source(struct lowering *state, const struct ptx_operand *operand, unsigned bytes,
                  uint32_t *out_slot)
{
    uint8_t space;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        if (!register_slot(state, operand->reg, bytes, out_slot)) {
            return false;
        }
        if (operand->negated) {
            uint32_t inverse = lower_new_slot(state, 0);
            struct op *op = lower_emit(state, OP_PRED_NOT);
            op->slot[0] = inverse;
            op->slot[1] = *out_slot;
            *out_slot = inverse;
        }
        return true;
    case PTX_OPERAND_IMMEDIATE:
        if (bytes == 0) {
            bool value = (operand->bits != 0) != operand->negated;
            *out_slot = lower_constant(state, 0, value ? ALL_LANES : 0);
        } else {
            *out_slot = lower_constant(state, bytes, operand->bits);
        }
        return true;
    case PTX_OPERAND_SPECIAL:
        if (bytes == 0) {
            return false;
        }
        *out_slot = special_slot(state, operand->special, bytes);
        return true;
    case PTX_OPERAND_SYMBOL:
        if (bytes == 0 || !lower_symbol(state, operand, false, &space, out_slot)) {
            return false;
        }
        if (bytes == 4) {
            struct op *op = lower_emit(state, OP_CVT_U32_U64);
            op->slot[1] = *out_slot;
            op->slot[0] = *out_slot = lower_new_slot(state, 4);
        }
        return true;
    default:
        return false;
    }
}

bool lower_destination(struct lowering *state, const struct ptx_operand *operand, unsigned bytes,
                       uint32_t *out_slot)
{
    if (operand->kind == PTX_OPERAND_SINK) {
        *out_slot = lower_new_slot(state, bytes);
        return true;
    }
    return operand->kind == PTX_OPERAND_REGISTER &&
           register_slot(state, operand->reg, bytes, out_slot);
}

uint64_t lower_local_room(struct lowering *state, uint64_t bytes, uint64_t alignment)
{
    uint64_t step = alignment < 8 ? 8 : alignment;
    uint64_t start = (state->body->local_bytes + step - 1) / step * step;
    state->body->local_bytes = start + bytes;
    return start;
}

/* Where a .shared variable lies; given a place when it is first met. Dynamic ones (extern) all
 * begin behind the static ones. */
static const struct shared_place *shared_place(struct lowering *state,
                                               const struct ptx_variable *variable)
{
    for (size_t i = 0; i < state->shared_count; i++) {
        if (state->shared[i].variable == variable) {
            return &state->shared[i];
        }
    }
    arena_grow(state->arena, &state->shared, &state->shared_capacity, state->shared_count + 1,
               sizeof *state->shared);
    struct shared_place *place = &state->shared[state->shared_count++];
    *place = (struct shared_place){.variable = variable};
    uint64_t alignment = variable->alignment == 0 ? 1 : variable->alignment;
    if (variable->is_extern) {
        bool is_larger = alignment > state->dynamic_alignment;
        state->dynamic_alignment = is_larger ? alignment : state->dynamic_alignment;
        return place;
    }
    uint64_t start = (state->code->static_shared_bytes + alignment - 1) / alignment * alignment;
    place->offset = start;
    place->tile = (uint32_t)state->tile_count;
    state->code->static_shared_bytes = start + variable->bytes;
    arena_grow(state->arena, &state->tiles, &state->tile_capacity, state->tile_count + 1,
               sizeof *state->tiles);
    state->tiles[state->tile_count++] =
        (struct shared_tile){.name = variable->name, .start = start, .bytes = variable->bytes};
    return place;
}

void lower_place_shared(struct lowering *state, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->variable_count; i++) {
        if (function->variables[i].space == PTX_SPACE_SHARED) {
            shared_place(state, &function->variables[i]);
        }
    }
}

/* The slot of an address in a .shared variable, a constant that is no mere number: lower_tiles.c
 * follows it. The start of dynamic shared memory is added at the end. */
static uint32_t shared_slot(struct lowering *state, const struct ptx_variable *variable,
                            uint64_t address)
{
    const struct shared_place *place = shared_place(state, variable);
    uint32_t number = (uint32_t)(place - state->shared) + 1;
    for (size_t i = 0; i < state->constant_count; i++) {
        const struct slot_constant *known = &state->constants[i];
        if (known->shared == number && known->bits == address) {
            return known->slot;
        }
    }
    struct slot_constant *constant = new_constant(state, 8, address);
    constant->shared = number;
    constant->add_static_shared = variable->is_extern;
    return constant->slot;
}

/* The address of a variable in its space, and that space; for a dynamic .shared variable it counts
 * from the dynamic start. */
static bool variable_address(struct lowering *state, const struct ptx_operand *operand,
                             const struct ptx_variable *variable, uint8_t *out_space,
                             uint64_t *out_address)
{
    bool is_module = operand->scope == PTX_SCOPE_MODULE;
    struct local_place *local =
        is_module ? NULL : &state->frame->variables[(size_t)operand->symbol];
    *out_space = (uint8_t)variable->space;
    switch (variable->space) {
    case PTX_SPACE_SHARED:
        *out_address = shared_place(state, variable)->offset;
        return true;
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST:
        *out_address = is_module ? state->variables[(size_t)operand->symbol] : 0;
        return *out_address != 0;
    case PTX_SPACE_LOCAL:
    case PTX_SPACE_PARAM:
        if (local == NULL) {
            return false;
        }
        if (!local->is_placed) {
            local->offset = lower_local_room(state, variable->bytes, variable->alignment);
            local->is_placed = true;
        }
        *out_space = PTX_SPACE_LOCAL;
        *out_address = local->offset;
        return true;
    default:
        return false;
    }
}

/* The same for what a symbol names. */
static bool symbol_address(struct lowering *state, const struct ptx_operand *operand,
                           uint8_t *out_space, uint64_t *out_address)
{
    const struct frame *frame = state->frame;
    size_t index = (size_t)operand->symbol;
    bool is_kernel = frame->is_entry;
    switch (operand->scope) {
    case PTX_SCOPE_MODULE:
        return variable_address(state, operand, &state->module->variables[index], out_space,
                                out_address);
    case PTX_SCOPE_FUNCTION:
        return variable_address(state, operand, &frame->function->variables[index], out_space,
                                out_address);
    case PTX_SCOPE_PARAMETER:
        *out_space = is_kernel ? PTX_SPACE_PARAM : PTX_SPACE_LOCAL;
        *out_address =
            is_kernel ? frame->function->parameters[index].offset : frame->parameters[index];
        return true;
    case PTX_SCOPE_RETURN:
        *out_space = PTX_SPACE_LOCAL;
        *out_address = is_kernel ? 0 : frame->returns[index];
        return !is_kernel;
    case PTX_SCOPE_CODE:
        *out_space = PTX_SPACE_GENERIC;
        *out_address = code_address(state->module_index, index);
        return true;
    default:
        return false;
    }
}

bool lower_frame_place(struct lowering *state, const struct ptx_operand *operand,
                       struct call_place *out_place)
{
    const struct ptx_function *function = state->frame->function;
    struct call_place place;
    uint8_t space;
    if (operand->scope == PTX_SCOPE_MODULE || operand->scope == PTX_SCOPE_CODE ||
        !symbol_address(state, operand, &space, &place.offset) || space != PTX_SPACE_LOCAL) {
        return false;
    }
    place.bytes = operand->scope == PTX_SCOPE_FUNCTION ? function->variables[operand->symbol].bytes
                  : operand->scope == PTX_SCOPE_RETURN
                      ? function->returns[operand->symbol].bytes
                      : function->parameters[operand->symbol].bytes;
    *out_place = place;
    return true;
}

uint32_t lower_frame_base(struct lowering *state, uint64_t *offset)
{
    if (state->body->base_slot != NO_BASE) {
        return state->body->base_slot;
    }
    uint32_t slot = lower_constant(state, 8, *offset);
    *offset = 0;
    return slot;
}

/* The .shared variable that a symbol names; NULL if it names something else. */
static const struct ptx_variable *shared_variable(const struct lowering *state,
                                                  const struct ptx_operand *operand)
{
    const struct ptx_variable *variables = operand->scope == PTX_SCOPE_MODULE
                                               ? state->module->variables
                                               : state->frame->function->variables;
    bool is_variable = operand->scope == PTX_SCOPE_MODULE || operand->scope == PTX_SCOPE_FUNCTION;
    bool is_shared = is_variable && variables[operand->symbol].space == PTX_SPACE_SHARED;
    return is_shared ? &variables[operand->symbol] : NULL;
}

bool lower_symbol(struct lowering *state, const struct ptx_operand *operand, bool is_generic,
                  uint8_t *out_space, uint32_t *out_slot)
{
    static const uint64_t windows[] = {[PTX_SPACE_SHARED] = SHARED_WINDOW,
                                       [PTX_SPACE_LOCAL] = LOCAL_WINDOW,
                                       [PTX_SPACE_PARAM] = PARAM_WINDOW};
    uint64_t address;
    if (!symbol_address(state, operand, out_space, &address)) {
        return false;
    }
    address += is_generic ? windows[*out_space] : 0;
    address += operand->kind == PTX_OPERAND_SYMBOL ? (uint64_t)operand->offset : 0;
    const struct ptx_variable *shared = shared_variable(state, operand);
    *out_slot =
        shared != NULL ? shared_slot(state, shared, address) : lower_constant(state, 8, address);
    if (*out_space == PTX_SPACE_LOCAL && state->body->base_slot != NO_BASE) {
        struct op *op = lower_emit(state, OP_ADD_64);
        op->slot[1] = state->body->base_slot;
        op->slot[2] = *out_slot;
        op->slot[0] = *out_slot = lower_new_slot(state, 8);
    }
    *out_space = (uint8_t)(is_generic ? PTX_SPACE_GENERIC : *out_space);
    return true;
}
