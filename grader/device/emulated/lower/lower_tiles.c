/* lower_tiles.c: finds out which .shared variable an access belongs to.
 *
 * The compiler does not know where .shared variables will lie, so an address that it forms from the
 * symbol of one of them is meant to stay in that one. Each slot of the register file gets what is
 * known of the values that any op writes into it:
 *
 *              UNCLEAR            in a way that is not followed
 *             /       \
 *         SEVERAL      |          the address of one of several variables plus numbers
 *        /       \     |
 *   tile 0  tile 1 ..  NUMBER     the address of one variable plus numbers; no address
 *        \       \     /
 *              UNSET              nobody writes it
 *
 * The ops are gone through until nothing changes. Where the outcome is UNCLEAR or NUMBER, accesses
 * are only held to the shared memory of the block. Where it is SEVERAL (a condition or a swap
 * selects an array), the ops that write the register note which one it is as they run
 * (followed_tiles.h). All dynamic (extern) variables are one tile.
 */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/exchange.h"
#include "device/emulated/memory/followed_tiles.h"

#include <string.h>

enum origin {
    ORIGIN_UNSET,
    ORIGIN_NUMBER,
    ORIGIN_UNCLEAR,
    ORIGIN_SEVERAL,
    ORIGIN_TILE /* plus its index */
};

enum {
    PASSES_MAX = 64,
    TILES_MAX = FOLLOWED_FIRST - 1 - ORIGIN_TILE,
};

struct origins {
    uint16_t *cells; /* by slot / CELL_BYTES */
    bool changed;
};

static uint16_t origin_of(const struct origins *origins, uint32_t slot)
{
    return slot == NO_SLOT ? ORIGIN_NUMBER : origins->cells[slot / FOLLOWED_CELL_BYTES];
}

static uint16_t join(uint16_t a, uint16_t b)
{
    if (a == ORIGIN_UNSET || a == b) {
        return b;
    }
    if (b == ORIGIN_UNSET) {
        return a;
    }
    return a >= ORIGIN_SEVERAL && b >= ORIGIN_SEVERAL ? ORIGIN_SEVERAL : ORIGIN_UNCLEAR;
}

static void set_origin(struct origins *origins, uint32_t slot, uint16_t origin)
{
    if (slot == NO_SLOT || origin == ORIGIN_UNSET) {
        return;
    }
    uint16_t *cell = &origins->cells[slot / FOLLOWED_CELL_BYTES];
    uint16_t joined = join(*cell, origin);
    origins->changed = origins->changed || joined != *cell;
    *cell = joined;
}

static bool is_address(uint16_t origin)
{
    return origin >= ORIGIN_UNCLEAR;
}

/* Of a sum: at most one of the two is an address. */
static uint16_t sum_of(uint16_t a, uint16_t b)
{
    if (a == ORIGIN_UNSET || b == ORIGIN_UNSET) {
        return ORIGIN_UNSET;
    }
    if (is_address(a) && is_address(b)) {
        return ORIGIN_UNCLEAR;
    }
    return is_address(a) ? a : b;
}

/* Of an op that does not keep addresses. */
static uint16_t mixture_of(const struct origins *origins, const struct op *op)
{
    for (unsigned k = 1; k < OP_SLOTS; k++) {
        if (is_address(origin_of(origins, op->slot[k]))) {
            return ORIGIN_UNCLEAR;
        }
    }
    return ORIGIN_NUMBER;
}

static uint16_t result_of(const struct origins *origins, const struct op *op)
{
    uint16_t a = origin_of(origins, op->slot[1]);
    uint16_t b = origin_of(origins, op->slot[2]);
    uint16_t c = origin_of(origins, op->slot[3]);
    switch (op->code) {
    case OP_MOV_32:
    case OP_MOV_64:
    case OP_CVT_U64_U32:
    case OP_CVT_S64_S32:
    case OP_CVT_U32_U64:
    case OP_ELEMENT_ADDRESS:
        return a;
    case OP_SELECT_32:
    case OP_SELECT_64:
        return join(a, b);
    case OP_ADD_32:
    case OP_ADD_64:
    case OP_OR_32: /* of bits that an aligned address has not set */
    case OP_OR_64:
        return sum_of(a, b);
    case OP_SUB_32:
    case OP_SUB_64:
        return is_address(b) ? ORIGIN_UNCLEAR : sum_of(a, b);
    case OP_MAD_LO_32:
    case OP_MAD_LO_64:
    case OP_MAD_WIDE_U32:
    case OP_MAD_WIDE_S32:
        return is_address(a) || is_address(b) ? ORIGIN_UNCLEAR : c;
    case OP_LOAD_32:
    case OP_LOAD_64:
    case OP_LOAD_ANY:
    case OP_LOAD_PARAM:
    case OP_ATOMIC:
    case OP_MBARRIER:
    case OP_TEXTURE_QUERY:
        return ORIGIN_NUMBER;
    default:
        return mixture_of(origins, op);
    }
}

static void visit(struct origins *origins, const struct lowering *state, const struct op *op)
{
    switch (op->code) {
    case OP_STORE_32:
    case OP_STORE_64:
    case OP_STORE_ANY:
    case OP_BRANCH:
    case OP_EXIT:
    case OP_NOTHING:
    case OP_FENCE:
    case OP_ORDER:
    case OP_COPY_WRITE:
    case OP_COPY_COMMIT:
    case OP_COPY_WAIT:
    case OP_SURFACE_STORE:
    case OP_SURFACE_REDUCE:
    case OP_WARP_JOIN:
        return;
    case OP_TENSOR_PRODUCT:
        for (unsigned k = 0; k < state->products[op->target].fragments[0].registers; k++) {
            set_origin(origins, state->products[op->target].slots[0][k], ORIGIN_NUMBER);
        }
        return;
    case OP_LOAD_ANY:
    case OP_COPY_READ:
    case OP_TEXTURE:
    case OP_SURFACE_LOAD:
    case OP_LOAD_PARAM:
    case OP_MATRIX_LANES:
        for (unsigned k = 0; k < op->count && k < SLOT_ADDRESS; k++) {
            set_origin(origins, op->slot[k], ORIGIN_NUMBER);
        }
        return;
    default:
        set_origin(origins, op->slot[0], result_of(origins, op));
        return;
    }
}

/* The tile of a .shared variable; the first dynamic one stands for all of them. */
static uint16_t tile_of(const struct lowering *state, const struct shared_place *place)
{
    size_t tile = place->tile;
    if (place->variable->is_extern) {
        tile = 0;
        while (!state->tiles[tile].is_dynamic) {
            tile++;
        }
    }
    return (uint16_t)tile;
}

/* Where addresses come from. Slot 0 is read where an op has no operand. */
static void set_constants(const struct lowering *state, struct origins *origins)
{
    set_origin(origins, 0, ORIGIN_NUMBER);
    for (size_t i = 0; i < state->constant_count; i++) {
        const struct slot_constant *constant = &state->constants[i];
        uint16_t origin = ORIGIN_NUMBER;
        if (constant->shared != 0) {
            origin = (uint16_t)(ORIGIN_TILE + tile_of(state, &state->shared[constant->shared - 1]));
        }
        set_origin(origins, constant->slot, origin);
    }
    for (size_t i = 0; i < state->special_count; i++) {
        set_origin(origins, state->specials[i].slot, ORIGIN_NUMBER);
    }
}

/* Numbers the registers that hold an address in one of several tiles, and makes those who write
 * them note which; accesses through them ask. */
static void follow(struct lowering *state, const struct origins *origins, uint64_t cell_count)
{
    uint16_t *cells = arena_array(state->arena, (size_t)cell_count, sizeof *cells);
    uint32_t count = 0;
    for (size_t i = 0; i < cell_count && count < FOLLOWED_MAX; i++) {
        uint16_t origin = origins->cells[i];
        if (origin >= ORIGIN_TILE) {
            cells[i] = (uint16_t)(origin - ORIGIN_TILE + 1);
        } else if (origin == ORIGIN_SEVERAL) {
            cells[i] = (uint16_t)(FOLLOWED_FIRST + count++);
        }
    }
    if (count == 0 || count == FOLLOWED_MAX) {
        return;
    }
    for (size_t i = 0; i < state->op_count; i++) {
        struct op *op = &state->ops[i];
        bool is_memory = op_is_memory(op);
        bool is_shared = op->space == PTX_SPACE_SHARED || op->space == PTX_SPACE_GENERIC;
        uint32_t slot = op->slot[is_memory ? SLOT_ADDRESS : 0];
        if (slot == NO_SLOT || origin_of(origins, slot) != ORIGIN_SEVERAL) {
            continue;
        }
        if (is_memory && is_shared) {
            op->is_followed = true;
            op->is_implied = false; /* where it is valid is known as it runs alone */
            op->range = (uint16_t)(state->tile_count + 1);
        } else if (!is_memory && followed_tiles_is_source(op)) {
            op->run = followed_tiles_run;
        }
    }
    state->code->followed_cells = cells;
    state->code->followed_count = count;
}

void lower_tiles(struct lowering *state)
{
    uint64_t bytes = state->register_bytes + state->constant_bytes;
    struct origins origins = {.changed = true};
    if (state->tile_count == 0 || state->tile_count > TILES_MAX) {
        return;
    }
    origins.cells =
        arena_array(state->arena, (size_t)(bytes / FOLLOWED_CELL_BYTES + 1), sizeof *origins.cells);
    set_constants(state, &origins);
    for (unsigned pass = 0; pass < PASSES_MAX && origins.changed; pass++) {
        origins.changed = false;
        for (size_t i = 0; i < state->op_count; i++) {
            visit(&origins, state, &state->ops[i]);
        }
    }
    for (size_t i = 0; i < state->op_count && !origins.changed; i++) {
        struct op *op = &state->ops[i];
        if (op_is_memory(op) && (op->space == PTX_SPACE_SHARED || op->space == PTX_SPACE_GENERIC)) {
            uint16_t origin = origin_of(&origins, op->slot[SLOT_ADDRESS]);
            op->range = origin >= ORIGIN_TILE ? (uint16_t)(origin - ORIGIN_TILE + 1) : 0;
        }
    }
    if (!origins.changed) {
        follow(state, &origins, bytes / FOLLOWED_CELL_BYTES + 1);
    }
}
