/* unwritten.c: see unwritten.h. */
#include "device/emulated/exec/unwritten.h"

#include "device/emulated/exec/op_model.h"
#include "device/emulated/exec/paths.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK = 64,
    STEP_WORK = 8,    /* units of work (launch_work.h) that following an op takes */
    SLOTS_LOOKED = 16 /* registers, or ops, that are looked at for one unit */
};

struct trail {
    struct warp *warp;
    const struct kernel_code *code;
    uint32_t *lanes;   /* [register_bytes / 4] by slot: that hold something of the values */
    size_t slot_count; /* that have lanes */
    uint32_t sites[UNWRITTEN_SITES]; /* that the values come from */
    uint32_t site_count;
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
    case OP_TEXTURE:
    case OP_SURFACE_LOAD:
    case OP_SURFACE_STORE:
    case OP_SURFACE_REDUCE:
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

/* Adds a site to a list of up to UNWRITTEN_SITES; false if there is no room. */
static bool add_site(uint32_t *sites, uint32_t *count, uint32_t site)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (sites[i] == site) {
            return true;
        }
    }
    if (*count < UNWRITTEN_SITES) {
        sites[(*count)++] = site;
        return true;
    }
    return false;
}

/* True if all that a kernel may read of shared memory is looked at for poison. */
static bool sees_all_loads(const struct kernel_code *code)
{
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        bool is_shared = op->space == PTX_SPACE_SHARED || op->space == PTX_SPACE_GENERIC;
        bool is_seen =
            op_is_store(op) || (op_is_load(op) && op->space == PTX_SPACE_SHARED && op->bytes >= 4);
        if (op_is_memory(op) && is_shared && !is_seen) {
            return false;
        }
    }
    return true;
}

static bool is_poison(const struct warp *warp, const struct op *op, unsigned element, unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[element];
    return op->slot_bytes == 8
               ? ((const uint64_t *)(const void *)slot)[lane] == POISON_WORD
               : ((const uint32_t *)(const void *)slot)[lane] == (uint32_t)POISON_WORD;
}

/* Follows a store: of an unchanged value to shared memory, or of another one. */
static void follow_store(struct trail *trail, const struct op *op, uint32_t mask)
{
    struct block *block = trail->warp->block;
    bool stores = false;
    bool is_used = (lanes_of(trail, op->slot[SLOT_ADDRESS]) & mask) != 0;
    for (unsigned k = 0; k < op->count; k++) {
        uint32_t left = lanes_of(trail, op->slot[k]) & mask;
        stores = stores || left != 0;
        for (; left != 0; left &= left - 1) {
            bool is_same = is_poison(trail->warp, op, k, (unsigned)__builtin_ctz(left));
            is_used = is_used || !is_same;
        }
    }
    if (stores && !is_used) {
        is_used = op->space != PTX_SPACE_SHARED || op->bytes < 4 || !sees_all_loads(trail->code);
        for (uint32_t i = 0; i < trail->site_count; i++) {
            is_used = is_used ||
                      !add_site(block->unwritten_sites, &block->unwritten_count, trail->sites[i]);
        }
    }
    trail->is_used = trail->is_used || is_used;
}

/* True if a product takes something from a register. */
static bool is_factor(const struct tensor_product *product, uint32_t slot)
{
    for (unsigned i = 1; i < 4; i++) {
        for (unsigned k = 0; k < product->fragments[i].registers; k++) {
            if (product->slots[i][k] == slot) {
                return true;
            }
        }
    }
    return false;
}

/* The lanes that a product takes values of the trail from. */
static uint32_t factor_lanes(const struct trail *trail, const struct tensor_product *product)
{
    uint32_t any = 0;
    for (unsigned i = 1; i < 4; i++) {
        for (unsigned k = 0; k < product->fragments[i].registers; k++) {
            any |= lanes_of(trail, product->slots[i][k]);
        }
    }
    return any;
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
    } else if (op_is_store(op)) {
        follow_store(trail, op, mask);
        trail->is_used = trail->is_used || doubtful != 0;
    } else {
        uint32_t any = doubtful;
        if (op->code == OP_TENSOR_PRODUCT) {
            any |= factor_lanes(trail, &trail->code->products[op->target]);
        }
        for (unsigned k = 0; k < OP_SLOTS; k++) {
            any |= lanes_of(trail, op->slot[k]) & mask;
        }
        trail->is_used = trail->is_used || any != 0 || (is_call(op) && mask != 0);
    }
}

/* True if an op reads a register, as far as is known. */
static bool reads(const struct kernel_code *code, const struct op *op, uint32_t slot)
{
    enum op_model model = op_model_of(op);
    if (op->code == OP_TENSOR_PRODUCT) {
        return is_factor(&code->products[op->target], slot);
    }
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
        found = reads(code, &code->ops[at], slot);
        if (!found && !overwrites(&code->ops[at], slot)) {
            count += op_list_next(code, at, room - count, &waiting[count]);
        }
    }
    trail->warp->block->work += code->op_count / SLOTS_LOOKED;
    free(waiting);
    free(is_known);
    return found;
}

/* Forgets registers that are not read again, and lanes that have ended. */
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
    trail->warp->block->work += trail->code->register_bytes / 4 / SLOTS_LOOKED;
}

/* Ends a trail and notes what has become of the values. */
static void end_trail(struct warp *warp)
{
    struct trail *trail = warp->trail;
    for (uint32_t i = 0; i < trail->site_count; i++) {
        warp->block->unwritten_uses[trail->sites[i]] |=
            trail->is_used ? UNWRITTEN_USED : UNWRITTEN_UNUSED;
    }
    free(trail->lanes);
    free(trail);
    warp->trail = NULL;
}

/* A trail that begins behind an op. */
static struct trail *trail_new(struct warp *warp, const struct op *op)
{
    struct trail *trail = allocate(1, sizeof *trail);
    trail->warp = warp;
    trail->code = warp->block->launch->code;
    trail->lanes = allocate(trail->code->register_bytes / 4, sizeof *trail->lanes);
    trail->look = FIRST_LOOK;
    warp->stop = op + 1; /* the hot loop ends there */
    return trail;
}

void unwritten_loaded(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct block *block = warp->block;
    uint8_t *uses = block->unwritten_uses;
    uint32_t sites[UNWRITTEN_SITES + 1];
    uint32_t count = block->unwritten_count;
    uint8_t all = UNWRITTEN_USED;
    memcpy(sites, block->unwritten_sites, count * sizeof *sites);
    block->has_trails = true;
    sites[count++] = block->launch->code->accesses[op->access_index].site;
    for (uint32_t i = 0; i < count; i++) {
        all &= uses[sites[i]];
        if (warp->watch != NULL) {
            uses[sites[i]] |= UNWRITTEN_USED; /* it cannot be followed */
        }
    }
    if (all == UNWRITTEN_USED || warp->watch != NULL) {
        return;
    }
    if (warp->trail == NULL) {
        warp->trail = trail_new(warp, op);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_site(warp->trail->sites, &warp->trail->site_count, sites[i])) {
            warp->trail->is_used = true;
        }
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
        warp->block->work += STEP_WORK;
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
    for (uint32_t i = 0; i < block->launch->code->site_count && block->has_trails; i++) {
        block->worker->unwritten_uses[i] |= block->unwritten_uses[i];
        block->unwritten_uses[i] = 0;
    }
    block->has_trails = false;
}

bool unwritten_is_harmless(const uint8_t *uses, uint32_t site)
{
    return uses[site] == UNWRITTEN_UNUSED;
}
