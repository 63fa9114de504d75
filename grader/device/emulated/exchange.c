/* exchange.c: see exchange.h.
 *
 * The .sync forms name the lanes that take part. When lanes of them are still on other paths, the
 * path waits until they have come to the same instruction; when nothing else in the block can run,
 * it goes on without them (what PTX leaves undefined then reads as poison).
 */
#include "device/emulated/exchange.h"

#include "device/emulated/paths.h"

static uint32_t *words(const struct warp *warp, uint32_t slot)
{
    return (uint32_t *)(void *)(warp->file + slot);
}

/* True if the lanes that take part are all here. Otherwise the running path has been made to wait,
 * and another one has been chosen. */
static bool all_came(struct warp *warp, const struct op *op, uint32_t members, uint32_t mask)
{
    uint32_t needed = members & warp->live & ~(warp->active & ~mask);
    struct path *current = warp_current(warp);
    bool is_forced = current->state == PATH_RUNS && current->barrier == BARRIERS;
    if ((mask & needed) == needed || warp->path_count == 1 || is_forced) {
        current->barrier = 0;
        return true;
    }
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path *other = &warp->paths[i];
        if (other != current && other->state == PATH_CONVERGES && other->pc == op) {
            current->mask |= other->mask;
            other->mask = 0;
            other->state = PATH_RUNS;
        }
    }
    if ((current->mask & needed) != needed) {
        current->state = PATH_CONVERGES;
    }
    warp_count_until(warp, op);
    warp_schedule(warp);
    return false;
}

bool exchange_force(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->path_count; i++) {
            struct path *path = &warp->paths[i];
            if (path->state == PATH_CONVERGES) {
                path->state = PATH_RUNS;
                path->barrier = BARRIERS; /* no barrier has this number: it is forced */
                return true;
            }
        }
    }
    return false;
}

static void finish(struct warp *warp, const struct op *op)
{
    warp_count_through(warp, op);
    warp_jump(warp, op + 1);
}

/* Lane that shfl reads for `lane`, and whether it is in range (PTX ISA, shfl.sync). */
static unsigned shuffle_source(unsigned kind, unsigned lane, uint32_t b, uint32_t c, bool *in_range)
{
    unsigned segment = c >> 8 & 31;
    unsigned clamp = c & 31;
    unsigned low = lane & segment;
    unsigned high = low | (clamp & ~segment);
    unsigned distance = b & 31;
    int source;
    switch (kind) {
    case PTX_SUB_UP:
        source = (int)lane - (int)distance;
        *in_range = source >= (int)high;
        break;
    case PTX_SUB_DOWN:
        source = (int)(lane + distance);
        *in_range = source <= (int)high;
        break;
    case PTX_SUB_BFLY:
        source = (int)(lane ^ distance);
        *in_range = source <= (int)high;
        break;
    default:
        source = (int)(low | (distance & ~segment));
        *in_range = source <= (int)high;
        break;
    }
    return *in_range ? (unsigned)source : lane;
}

void shuffle_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != 0) {
        uint32_t members = words(warp, op->slot[5])[__builtin_ctz(mask)];
        if (!all_came(warp, op, members, mask)) {
            return;
        }
        uint32_t result[LANES];
        uint32_t in_range_lanes = 0;
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            bool in_range;
            unsigned source = shuffle_source(op->kind, lane, words(warp, op->slot[3])[lane],
                                             words(warp, op->slot[4])[lane], &in_range);
            bool is_here = source < LANES && (mask >> source & 1) != 0;
            result[lane] = is_here ? words(warp, op->slot[2])[source] : (uint32_t)POISON_WORD;
            in_range_lanes |= in_range ? UINT32_C(1) << lane : 0;
        }
        for (uint32_t left = mask; left != 0 && op->slot[0] != NO_SLOT; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            words(warp, op->slot[0])[lane] = result[lane];
        }
        if (op->slot[1] != NO_SLOT) {
            uint32_t *p = words(warp, op->slot[1]);
            *p = (*p & ~mask) | in_range_lanes;
        }
    }
    finish(warp, op);
}

void vote_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != 0) {
        uint32_t members = words(warp, op->slot[2])[__builtin_ctz(mask)];
        if (!all_came(warp, op, members, mask)) {
            return;
        }
        uint32_t voters = mask & members;
        uint32_t yes = *words(warp, op->slot[1]) & voters;
        uint32_t *d = words(warp, op->slot[0]);
        if (op->kind == PTX_SUB_BALLOT) {
            for (uint32_t left = mask; left != 0; left &= left - 1) {
                d[__builtin_ctz(left)] = yes;
            }
        } else {
            bool holds = op->kind == PTX_SUB_ALL   ? yes == voters
                         : op->kind == PTX_SUB_ANY ? yes != 0
                                                   : yes == voters || yes == 0;
            *d = holds ? *d | mask : *d & ~mask;
        }
    }
    finish(warp, op);
}

/* The value of a lane, of 32 or 64 bits. */
static uint64_t value_of(const struct warp *warp, const struct op *op, unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[2];
    return op->bytes == 8 ? ((const uint64_t *)(const void *)slot)[lane]
                          : ((const uint32_t *)(const void *)slot)[lane];
}

void match_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != 0) {
        uint32_t members = words(warp, op->slot[3])[__builtin_ctz(mask)];
        if (!all_came(warp, op, members, mask)) {
            return;
        }
        uint32_t voters = mask & members;
        uint32_t result[LANES];
        bool all_equal = true;
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            result[lane] = 0;
            for (uint32_t others = voters; others != 0; others &= others - 1) {
                unsigned other = (unsigned)__builtin_ctz(others);
                bool is_equal = value_of(warp, op, other) == value_of(warp, op, lane);
                result[lane] |= is_equal ? UINT32_C(1) << other : 0;
            }
            all_equal = all_equal && result[lane] == voters;
        }
        bool is_all = op->kind == PTX_SUB_ALL;
        for (uint32_t left = mask; left != 0 && op->slot[0] != NO_SLOT; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            words(warp, op->slot[0])[lane] = is_all ? (all_equal ? voters : 0) : result[lane];
        }
        if (op->slot[1] != NO_SLOT) {
            uint32_t *p = words(warp, op->slot[1]);
            *p = all_equal ? *p | mask : *p & ~mask;
        }
    }
    finish(warp, op);
}

static uint32_t reduce_two(const struct op *op, uint32_t x, uint32_t y)
{
    bool is_signed = op->type == PTX_S32;
    bool is_less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op->kind) {
    case PTX_SUB_ADD:
        return x + y;
    case PTX_SUB_MIN:
        return is_less ? x : y;
    case PTX_SUB_MAX:
        return is_less ? y : x;
    case PTX_SUB_AND:
        return x & y;
    case PTX_SUB_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

void reduce_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    if (mask != 0) {
        uint32_t members = words(warp, op->slot[2])[__builtin_ctz(mask)];
        if (!all_came(warp, op, members, mask)) {
            return;
        }
        uint32_t left = mask & members;
        uint32_t total = left == 0 ? 0 : words(warp, op->slot[1])[__builtin_ctz(left)];
        for (left &= left - 1; left != 0; left &= left - 1) {
            total = reduce_two(op, total, words(warp, op->slot[1])[__builtin_ctz(left)]);
        }
        for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
            words(warp, op->slot[0])[__builtin_ctz(lanes)] = total;
        }
    }
    finish(warp, op);
}
