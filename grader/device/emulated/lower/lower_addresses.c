/* lower_addresses.c: marks accesses that look at an address register again.
 *
 * Unrolled loops read many places behind one register. Within a stretch of ops without jumps and
 * without jump targets the lanes are the same from beginning to end, so once the first access
 * through a register has compared the distances between the lanes, the following ones need not, as
 * long as nothing writes the register.
 *
 * For the same reason what is known of the first load is known of the others, as long as there is
 * no store in between: a load from shared memory of which that holds is marked `is_implied`.
 */
#include "device/emulated/lower/lowering_state.h"

#include <string.h>

enum { REGISTERS_MAX = 16 }; /* address registers that are followed at once */

struct stretch {
    uint32_t patterns[REGISTERS_MAX];
    uint32_t slots[REGISTERS_MAX];
    bool is_logged[REGISTERS_MAX]; /* a load from shared memory, since the last store */
    unsigned count;
};

/* Accesses whose addresses are compared between the lanes, all of them at once. */
static bool is_patterned(const struct op *op)
{
    return op_is_memory(op) && op->code != OP_ATOMIC && op->code != OP_COPY_READ &&
           op->code != OP_COPY_WRITE && op->code != OP_MBARRIER;
}

/* Forgets registers that an op writes. Vectors are loaded into slots 0 to 3. */
static void forget_written(struct stretch *stretch, const struct op *op)
{
    bool is_vector = op->code == OP_LOAD_ANY || op->code == OP_LOAD_PARAM ||
                     op->code == OP_COPY_READ || op_is_texture(op);
    unsigned written = is_vector ? SLOT_ADDRESS : 1;
    for (unsigned i = 0; i < stretch->count;) {
        bool is_written = false;
        for (unsigned k = 0; k < written; k++) {
            is_written = is_written || op->slot[k] == stretch->slots[i];
        }
        if (is_written) {
            stretch->count--;
            stretch->slots[i] = stretch->slots[stretch->count];
            stretch->patterns[i] = stretch->patterns[stretch->count];
            stretch->is_logged[i] = stretch->is_logged[stretch->count];
        } else {
            i++;
        }
    }
}

/* The place of a pattern in the stretch; its count if it is not followed. */
static unsigned find_followed(const struct stretch *stretch, uint32_t pattern)
{
    unsigned i = 0;
    while (i < stretch->count && stretch->patterns[i] != pattern) {
        i++;
    }
    return i;
}

/* Marks a load from shared memory that is known from an earlier one; a store ends that, and so does
 * what may order a load behind others (race_order.h). */
static void mark_implied(struct stretch *stretch, struct op *op, unsigned place)
{
    bool is_load = op->code == OP_LOAD_32 || op->code == OP_LOAD_64 || op->code == OP_LOAD_ANY;
    bool orders = op->code == OP_FENCE || op->code == OP_ORDER || op->code == OP_COPY_WAIT;
    if (orders || (op_is_memory(op) && !is_load)) {
        memset(stretch->is_logged, 0, sizeof stretch->is_logged);
    } else if (place < stretch->count && op->space == PTX_SPACE_SHARED) {
        op->is_implied = stretch->is_logged[place];
        stretch->is_logged[place] = true;
    }
}

static bool *find_targets(const struct lowering *state)
{
    bool *is_target = arena_array(state->arena, state->op_count + 1, sizeof *is_target);
    for (size_t i = 0; i < state->op_count; i++) {
        const struct op *op = &state->ops[i];
        if (op->code == OP_BRANCH && op->target <= state->op_count) {
            is_target[op->target] = true;
        }
    }
    for (size_t i = 0; i < state->target_count; i++) {
        if (state->targets[i] <= state->op_count) {
            is_target[state->targets[i]] = true;
        }
    }
    return is_target;
}

void lower_mark_addresses(struct lowering *state)
{
    const bool *is_target = find_targets(state);
    struct stretch stretch = {.count = 0};
    for (size_t i = 0; i < state->op_count; i++) {
        struct op *op = &state->ops[i];
        if (is_target[i] || (op->flags & OP_CONTROL) != 0) {
            stretch.count = 0;
        }
        bool takes_part = is_patterned(op) && (op->flags & OP_GUARDED) == 0;
        unsigned place = takes_part ? find_followed(&stretch, op->pattern) : REGISTERS_MAX;
        bool is_new = takes_part && place == stretch.count;
        op->same_address = takes_part && !is_new;
        if (is_new && stretch.count < REGISTERS_MAX) {
            stretch.patterns[place] = op->pattern;
            stretch.is_logged[place] = false;
            stretch.slots[stretch.count++] = op->slot[SLOT_ADDRESS];
        }
        mark_implied(&stretch, op, place);
        forget_written(&stretch, op);
    }
}
