/* lower_watch.c: prepares a finished kernel for race_watch.h.
 *
 * Sites. What is found about races is said of source lines. Ops of one role at one place of the
 * source (an unrolled loop has many) are one site; an op whose place is unknown is a site of its
 * own.
 *
 * Followers. Within a stretch of ops that is always executed as a whole, by the same lanes, loads
 * through one address register are at fixed distances from each other (lower_addresses.c marks
 * them `is_implied`). Only the first one is logged at run time, the others are known from it.
 *
 * Bundles. Followers as wide as their first load, in the same part of shared memory, are checked
 * and counted with it as well: if the first and the last byte that all of them reach lie in that
 * part, each is valid, and costs the same as the first one (memory_handlers.c).
 */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/lower/op_place.h"

#include <stdlib.h>
#include <string.h>

/* Where an op stands, for sorting. */
struct site_key {
    struct finding_record_place place;
    uint32_t role;
    uint32_t op;
};

static bool may_be_shared(const struct op *op)
{
    return op_is_memory(op) && (op->space == PTX_SPACE_SHARED || op->space == PTX_SPACE_GENERIC);
}

static uint8_t role_of(const struct op *op, const struct ptx_instruction *instruction)
{
    bool is_ordered =
        (instruction->flags & (PTX_FLAG_RELAXED | PTX_FLAG_ACQUIRE | PTX_FLAG_RELEASE)) != 0;
    switch (op->code) {
    case OP_LOAD_32:
    case OP_LOAD_64:
    case OP_LOAD_ANY:
    case OP_COPY_READ:
    case OP_TEXTURE:
    case OP_SURFACE_LOAD:
        return (uint8_t)(ROLE_READS | (is_ordered ? ROLE_ATOMIC : 0));
    case OP_STORE_32:
    case OP_STORE_64:
    case OP_STORE_ANY:
    case OP_COPY_WRITE:
    case OP_SURFACE_STORE:
        return (uint8_t)(ROLE_WRITES | ROLE_FILLS | (is_ordered ? ROLE_ATOMIC : 0));
    case OP_MBARRIER:
        return (uint8_t)(ROLE_WRITES | ROLE_ATOMIC |
                         (op->kind == PTX_SUB_INIT ? ROLE_FILLS : ROLE_READS));
    default:
        return (uint8_t)(ROLE_WRITES | ROLE_ATOMIC | (op->kind == PTX_SUB_CAS ? ROLE_COMPARES : 0) |
                         (op->kind == PTX_SUB_EXCH ? ROLE_FILLS : ROLE_READS));
    }
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_places(const struct site_key *a, const struct site_key *b)
{
    const uint32_t left[] = {
        a->place.line,           a->place.column,       a->place.file, a->place.inlined_line,
        a->place.inlined_column, a->place.inlined_file, a->role};
    const uint32_t right[] = {
        b->place.line,           b->place.column,       b->place.file, b->place.inlined_line,
        b->place.inlined_column, b->place.inlined_file, b->role};
    int order = 0;
    for (size_t i = 0; i < sizeof left / sizeof left[0] && order == 0; i++) {
        order = compare_numbers(left[i], right[i]);
    }
    return order;
}

static int compare_keys(const void *left, const void *right)
{
    const struct site_key *a = left;
    const struct site_key *b = right;
    int order = compare_places(a, b);
    return order != 0 ? order : compare_numbers(a->op, b->op);
}

/* Fills out_first[access] with the op of the first access of the same site. */
static void find_first_of_sites(const struct lowering *state, const struct shared_access *accesses,
                                uint32_t *out_first)
{
    uint32_t count = state->code->access_count;
    struct site_key *keys = arena_array(state->arena, (size_t)count + 1, sizeof *keys);
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct op *op = &state->ops[accesses[i].op];
        if (may_be_shared(op)) {
            struct site_key *key = &keys[used++];
            *key = (struct site_key){.role = accesses[i].role, .op = accesses[i].op};
            op_place_fill(state->code, op, &key->place);
        }
    }
    if (used > 0) {
        qsort(keys, used, sizeof *keys, compare_keys);
    }
    uint32_t first = 0;
    for (size_t i = 0; i < used; i++) {
        bool is_same =
            i > 0 && keys[i].place.line != 0 && compare_places(&keys[i - 1], &keys[i]) == 0;
        first = is_same ? first : keys[i].op;
        out_first[state->ops[keys[i].op].access_index] = first;
    }
}

/* Numbers the sites in the order of their first ops. */
static void number_sites(struct lowering *state, struct shared_access *accesses)
{
    uint32_t count = state->code->access_count;
    uint32_t *first = arena_array(state->arena, (size_t)count + 1, sizeof *first);
    uint32_t *site_ops = arena_array(state->arena, (size_t)count + 1, sizeof *site_ops);
    find_first_of_sites(state, accesses, first);
    uint32_t sites = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!may_be_shared(&state->ops[accesses[i].op])) {
            continue;
        }
        if (first[i] == accesses[i].op) {
            accesses[i].site = sites;
            site_ops[sites++] = first[i];
        } else {
            accesses[i].site = accesses[state->ops[first[i]].access_index].site;
        }
    }
    state->code->site_ops = site_ops;
    state->code->site_count = sites;
}

/* Lists the followers of each load that is logged for others. */
static void list_followers(struct lowering *state, struct shared_access *accesses)
{
    uint32_t count = state->code->access_count;
    uint32_t *leader = arena_array(state->arena, (size_t)count + 1, sizeof *leader);
    uint32_t *last = arena_array(state->arena, state->pattern_count + 1, sizeof *last);
    uint32_t *followers = arena_array(state->arena, (size_t)count + 1, sizeof *followers);
    for (uint32_t i = 0; i < count; i++) {
        const struct op *op = &state->ops[accesses[i].op];
        if (op->is_implied) {
            leader[i] = last[op->pattern];
            accesses[leader[i]].follower_count++;
        } else if (may_be_shared(op) && op->code != OP_ATOMIC && op->code != OP_COPY_WRITE &&
                   op->code != OP_MBARRIER) {
            last[op->pattern] = i;
        }
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        accesses[i].first_follower = next;
        next += accesses[i].follower_count;
        accesses[i].follower_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (state->ops[accesses[i].op].is_implied) {
            struct shared_access *first = &accesses[leader[i]];
            followers[first->first_follower + first->follower_count++] = i;
        }
    }
    state->code->followers = followers;
}

/* Makes a bundle of a load and its followers if they can be checked and counted together. */
static void find_bundle(struct lowering *state, const struct shared_access *accesses,
                        const struct shared_access *first)
{
    struct op *leader = &state->ops[first->op];
    const unsigned bytes = (unsigned)leader->bytes * leader->count;
    int64_t lowest = 0;
    int64_t highest = 0;
    bool is_alike = bytes >= 4 && !leader->is_followed && first->follower_count > 0;
    for (uint32_t i = 0; i < first->follower_count && is_alike; i++) {
        uint32_t number = state->code->followers[first->first_follower + i];
        const struct op *op = &state->ops[accesses[number].op];
        int64_t distance = (int64_t)op->offset - leader->offset;
        is_alike = (unsigned)op->bytes * op->count == bytes && op->range == leader->range &&
                   op->address_is_wide == leader->address_is_wide && !op->is_followed;
        lowest = distance < lowest ? distance : lowest;
        highest = distance > highest ? distance : highest;
    }
    leader->leads_bundle = is_alike;
    leader->bundle_before = is_alike ? (uint32_t)-lowest : 0;
    leader->bundle_after = is_alike ? (uint32_t)highest : 0;
}

void lower_watch(struct lowering *state)
{
    struct kernel_code *code = state->code;
    struct shared_access *accesses =
        arena_array(state->arena, (size_t)code->access_count + 1, sizeof *accesses);
    for (size_t i = 0; i < state->op_count; i++) {
        const struct op *op = &state->ops[i];
        if (op_is_counted(op)) {
            accesses[op->access_index].op = (uint32_t)i;
            accesses[op->access_index].role = role_of(op, state->sources[i]);
        }
    }
    number_sites(state, accesses);
    list_followers(state, accesses);
    for (uint32_t i = 0; i < code->access_count; i++) {
        find_bundle(state, accesses, &accesses[i]);
    }
    code->accesses = accesses;
}
