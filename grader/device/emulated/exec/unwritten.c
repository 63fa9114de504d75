/* unwritten.c: see unwritten.h. */
#include "device/emulated/exec/unwritten.h"

#include "device/emulated/exec/op_model.h"
#include "device/emulated/exec/paths.h"

#include <stdlib.h>
#include <string.h>

enum { SITES_MOST = 8, FIRST_LOOK = 64 };

struct trail {
    struct warp *warp;
    const struct kernel_code *code;
    uint32_t *lanes;   /* [register_bytes / 4] by slot: that hold something of the values */
    size_t slot_count; /* that have lanes */
    uint32_t sites[SITES_MOST]; /* that the values come from */
    size_t site_count;
    uint64_t steps, look; /* ops executed; when to look next which registers are read again */
    bool is_used;
};

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count == 0 ? 1 : count, bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static bool is_register(const struct trail *trail, uint32_t slot)
{
    return slot != 0 && slot < trail->code->register_bytes;
}

static uint32_t lanes_of(const struct trail *trail, uint32_t slot)
{
    return is_register(trail, slot) ? trail->lanes[slot / 4] : 0;
}

/* The lanes of `mask` write a register; of them, `held` write something of the values. */
static void put(struct trail *trail, uint32_t slot, uint32_t mask, uint32_t held)
{
    if (!is_register(trail, slot)) {
        return;
    }
    uint32_t *lanes = &trail->lanes[slot / 4];
    uint32_t before = *lanes;
    *lanes = (before & ~mask) | held;
    trail->slot_count += (before == 0 && *lanes != 0);
    trail->slot_count -= (before != 0 && *lanes == 0);
}

static uint32_t predicate(const struct trail *trail, uint32_t slot)
{
    return *(const uint32_t *)(const void *)(trail->warp->file + slot);
}

/* The lanes in which the result of an op depends on the values; its sources are slots 1 to 5. */
static uint32_t result_lanes(const struct trail *trail, const struct op *op)
{
    uint32_t a = lanes_of(trail, op->slot[1]);
    uint32_t b = lanes_of(trail, op->slot[2]);
    uint32_t c = lanes_of(trail, op->slot[3]);
    switch (op->code) {
    case OP_SELECT_32:
    case OP_SELECT_64: {
        uint32_t chosen = predicate(trail, op->slot[3]);
        return c | (chosen & a) | (~chosen & b);
    }
    case OP_PRED_AND:
        return (a & b) | (a & predicate(trail, op->slot[2])) | (b & predicate(trail, op->slot[1]));
    case OP_PRED_OR:
        return (a & b) | (a & ~predicate(trail, op->slot[2])) |
               (b & ~predicate(trail, op->slot[1]));
    default:
        return a | b | c | lanes_of(trail, op->slot[4]) | lanes_of(trail, op->slot[5]);
    }
}

/* True for ops that take registers beyond their slots. */
static bool is_call(const struct op *op)
{
    switch (op->code) {
    case OP_CALL:
    case OP_RETURN:
    case OP_LIBDEVICE:
    case OP_PRINT:
    case OP_ASSERT_FAIL:
    case OP_MALLOC:
    case OP_FREE:
    case OP_UNKNOWN_CALL:
        return true;
    default:
        return false;
    }
}

/* Follows the op that the warp is about to execute. */
static void follow(struct trail *trail, const struct op *op)
{
    const struct warp *warp = trail->warp;
    uint32_t mask = warp->active;
    uint32_t doubtful = 0; /* lanes whose guard is made of the values */
    if ((op->flags & OP_GUARDED) != 0) {
        uint32_t guard = predicate(trail, op->guard);
        doubtful = lanes_of(trail, op->guard) & mask;
        mask &= (op->flags & OP_GUARD_NEGATED) != 0 ? ~guard : guard;
    }
    enum op_model model = op_model_of(op);
    if (model == MODEL_SETS || model == MODEL_DECIDES) {
        put(trail, op->slot[0], mask, (result_lanes(trail, op) & mask) | doubtful);
    } else if (op_is_load(op)) {
        trail->is_used = trail->is_used || (lanes_of(trail, op->slot[SLOT_ADDRESS]) & mask) != 0;
        for (unsigned k = 0; k < op->count; k++) {
            put(trail, op->slot[k], mask, doubtful);
        }
    } else {
        uint32_t any = doubtful;
        for (unsigned k = 0; k < OP_SLOTS; k++) {
            any |= lanes_of(trail, op->slot[k]) & mask;
        }
        trail->is_used = trail->is_used || any != 0 || (is_call(op) && mask != 0);
    }
}

/* True if an op reads a register, as far as is known. */
static bool reads(const struct op *op, uint32_t slot)
{
    enum op_model model = op_model_of(op);
    bool sets = model == MODEL_SETS || model == MODEL_DECIDES || op_is_load(op);
    bool any = ((op->flags & OP_GUARDED) != 0 && op->guard == slot) || is_call(op);
    for (unsigned k = sets ? 1 : 0; k < OP_SLOTS; k++) {
        bool is_result = op_is_load(op) && k < SLOT_ADDRESS;
        any = any || (op->slot[k] == slot && !is_result);
    }
    return any;
}

/* True if an op writes a register in all lanes that execute it. */
static bool overwrites(const struct op *op, uint32_t slot)
{
    enum op_model model = op_model_of(op);
    bool sets = model == MODEL_SETS || model == MODEL_DECIDES || op_is_load(op);
    unsigned results = op_is_load(op) ? op->count : 1;
    bool any = false;
    for (unsigned k = 0; k < results && sets; k++) {
        any = any || op->slot[k] == slot;
    }
    return any && (op->flags & OP_GUARDED) == 0;
}

/* True if a lane of some path may come to an op that reads a register before one that writes it. */
static bool is_read_again(const struct trail *trail, uint32_t slot)
{
    const struct kernel_code *code = trail->code;
    const struct warp *warp = trail->warp;
    size_t room = 2 * code->op_count + code->target_count + LANES;
    uint32_t *waiting = allocate(room + 1, sizeof *waiting);
    uint8_t *is_known = allocate(code->op_count, 1);
    size_t count = 0;
    bool found = false;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct op *pc = i == warp->current ? warp->pc : warp->paths[i].pc;
        waiting[count++] = (uint32_t)(pc - code->ops);
    }
    while (count > 0 && !found) {
        uint32_t at = waiting[--count];
        if (is_known[at]) {
            continue;
        }
        is_known[at] = 1;
        found = reads(&code->ops[at], slot);
        if (!found && !overwrites(&code->ops[at], slot)) {
            count += op_list_next(code, at, room - count, &waiting[count]);
        }
    }
    free(waiting);
    free(is_known);
    return found;
}

/* Forgets registers that nobody reads again, and lanes that have ended. */
static void forget_dead(struct trail *trail)
{
    for (uint32_t slot = 4; slot < trail->code->register_bytes && trail->slot_count > 0;
         slot += 4) {
        uint32_t held = trail->lanes[slot / 4];
        if (held != 0) {
            bool lives = (held & trail->warp->live) != 0 && is_read_again(trail, slot);
            put(trail, slot, ALL_LANES, lives ? held & trail->warp->live : 0);
        }
    }
    trail->look = 2 * trail->steps;
}

/* Ends a trail and notes what has become of the values. */
static void end_trail(struct warp *warp)
{
    struct trail *trail = warp->trail;
    for (size_t i = 0; i < trail->site_count; i++) {
        warp->worker->unwritten_uses[trail->sites[i]] |=
            trail->is_used ? UNWRITTEN_USED : UNWRITTEN_UNUSED;
    }
    free(trail->lanes);
    free(trail);
    warp->trail = NULL;
}

/* Adds a site to those that the values come from; false if there is no room. */
static bool add_site(struct trail *trail, uint32_t site)
{
    for (size_t i = 0; i < trail->site_count; i++) {
        if (trail->sites[i] == site) {
            return true;
        }
    }
    if (trail->site_count < SITES_MOST) {
        trail->sites[trail->site_count++] = site;
        return true;
    }
    return false;
}

void unwritten_loaded(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct kernel_code *code = warp->block->launch->code;
    uint32_t site = code->accesses[op->access_index].site;
    uint8_t *uses = &warp->worker->unwritten_uses[site];
    if ((*uses & UNWRITTEN_USED) != 0) {
        return;
    }
    if (warp->watch != NULL || op->slot_bytes < 4) {
        *uses |= UNWRITTEN_USED; /* it cannot be followed */
        return;
    }
    if (warp->trail == NULL) {
        warp->trail = allocate(1, sizeof *warp->trail);
        warp->trail->warp = warp;
        warp->trail->code = code;
        warp->trail->lanes = allocate(code->register_bytes / 4, sizeof *warp->trail->lanes);
        warp->trail->look = FIRST_LOOK;
        warp->stop = op + 1; /* the hot loop ends there */
    }
    if (!add_site(warp->trail, site)) {
        *uses |= UNWRITTEN_USED;
    }
    for (unsigned k = 0; k < op->count; k++) {
        put(warp->trail, op->slot[k], mask, mask);
    }
}

void unwritten_turn(struct warp *warp)
{
    struct trail *trail = warp->trail;
    while (!warp->suspended && trail->slot_count > 0 && !trail->is_used) {
        if (warp->pc == warp->stop) {
            warp_count_until(warp, warp->pc);
            warp_schedule(warp);
            if (warp->suspended) {
                break;
            }
        }
        follow(trail, warp->pc);
        warp_step(warp);
        trail->steps++;
        trail->is_used = trail->is_used || trail->steps > TRAIL_STEPS;
        if (trail->steps >= trail->look && !trail->is_used) {
            forget_dead(trail);
        }
    }
    if (trail->slot_count == 0 || trail->is_used) {
        end_trail(warp);
    }
}

void unwritten_end(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        if (block->warps[w].trail != NULL) {
            end_trail(&block->warps[w]);
        }
    }
}

bool unwritten_is_harmless(const uint8_t *uses, uint32_t site)
{
    return uses[site] == UNWRITTEN_UNUSED;
}
