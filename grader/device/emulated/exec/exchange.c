/* exchange.c: see exchange.h.
 *
 * The .sync forms name the lanes that take part. When lanes of them are still on other paths, the
 * path waits until they have come to the same instruction; when nothing else in the block can run,
 * it goes on without them. That is reported if they could have come: lanes that had exited when
 * they were first waited for, or were about to, need not come, and lanes that the launch does not
 * have cannot. A value from a lane that takes no part is reported as well, but as one that may
 * matter: whether it is used is not followed.
 */
#include "device/emulated/exec/exchange.h"

#include "device/emulated/exec/paths.h"
#include "device/emulated/finding_table.h"

static uint32_t *words(const struct warp *warp, uint32_t slot)
{
    return (uint32_t *)(void *)(warp->file + slot);
}

/* The lanes of `mask` that name the same lanes as the lowest of them. */
static uint32_t lanes_alike(const uint32_t *members, uint32_t mask)
{
    uint32_t first = members[__builtin_ctz(mask)];
    uint32_t alike = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        alike |= (uint32_t)(members[lane] == first) << lane;
    }
    return alike & mask;
}

/* Reports what `lanes` execute; `meant` are the lanes that the finding is about. */
static void report(struct warp *warp, const struct op *op, enum finding_record_kind kind,
                   uint32_t lanes, uint32_t members, uint32_t meant)
{
    uint32_t counted = kind == FINDING_RECORD_MASK_LANES_MISSING ? meant : lanes;
    struct fault fault = {
        .kind = kind,
        .places[0] = {.op = op, .thread = warp->index * LANES + (uint32_t)__builtin_ctz(lanes)},
        .block = warp->block->linear,
        .count = (uint64_t)__builtin_popcount(counted),
        .address = members,
        .object_bytes = meant,
    };
    finding_table_add(warp->worker->findings, &fault);
}

void exchange_report(struct warp *warp, const struct op *op, const uint32_t *members, uint32_t mask,
                     uint32_t missing)
{
    uint32_t strangers = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        strangers |= ~members[lane] & UINT32_C(1) << lane;
    }
    strangers &= mask;
    if (strangers != 0) {
        unsigned lane = (unsigned)__builtin_ctz(strangers);
        report(warp, op, FINDING_RECORD_MASK_WITHOUT_SELF, strangers, members[lane],
               UINT32_C(1) << lane);
    }
    for (uint32_t left = mask; left != 0 && missing != 0;) {
        uint32_t alike = lanes_alike(members, left);
        uint32_t named = members[__builtin_ctz(left)];
        if ((named & missing) != 0) {
            report(warp, op, FINDING_RECORD_MASK_LANES_MISSING, alike, named, named & missing);
        }
        left &= ~alike;
    }
}

/* True if the lanes that are named are all here, or those that are not cannot come: then
 * *out_missing is set to lanes that could have come when they were first waited for. Otherwise the
 * running path has been made to wait, and another one has been chosen. */
static bool have_come(struct warp *warp, const struct op *op, uint32_t named, uint32_t mask,
                      uint32_t *out_missing)
{
    uint32_t skipped = warp->active & ~mask; /* by a guard */
    uint32_t needed = named & warp->live & ~skipped;
    struct path *current = warp_current(warp);
    bool is_forced = current->state == PATH_RUNS && current->barrier == BARRIERS;
    if ((mask & needed) == needed || warp->path_count == 1 || is_forced) {
        *out_missing = ((current->awaited | skipped) & named) & ~mask;
        current->barrier = 0;
        current->awaited = 0;
        return true;
    }
    current->awaited |= named & warp_lanes_that_stay(warp);
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path *other = &warp->paths[i];
        if (other != current && other->state == PATH_CONVERGES && other->pc == op) {
            current->mask |= other->mask;
            current->awaited |= other->awaited;
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

/* The same for lanes that name others, `members` of each; reports those that are missing. */
static bool all_came(struct warp *warp, const struct op *op, const uint32_t *members, uint32_t mask,
                     uint32_t *out_missing)
{
    uint32_t named = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        named |= members[__builtin_ctz(left)];
    }
    if (!have_come(warp, op, named, mask, out_missing)) {
        return false;
    }
    exchange_report(warp, op, members, mask, *out_missing);
    return true;
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

void join_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t missing;
    if (mask != 0 && !have_come(warp, op, ALL_LANES, mask, &missing)) {
        return;
    }
    if (mask != 0 && mask != ALL_LANES) {
        report(warp, op, FINDING_RECORD_MASK_LANES_MISSING, mask, 0, ~mask);
    }
    finish(warp, op);
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

unsigned shuffle_lane(const struct warp *warp, const struct op *op, unsigned lane)
{
    bool in_range;

    return shuffle_source(op->kind, lane, words(warp, op->slot[3])[lane],
                          words(warp, op->slot[4])[lane], &in_range);
}

/* What a shuffle reads and where the lanes are that it may read. */
struct shuffle {
    const uint32_t *members; /* the lanes that each lane names */
    uint32_t here;           /* lanes that execute it */
    uint32_t excused;        /* lanes that never existed, or are reported as missing */
    uint32_t undefined;      /* out: lanes whose value comes from nowhere and may matter */
    uint32_t source;         /* out: the lane that the first of them reads, as a bit */
};

/* Notes that a lane reads another one that takes no part. What shfl.down gives to a lane that is
 * not below the distance, from outside of the mask, is left over from a reduction of the lanes in
 * it, which does not use it. */
static void note_source(struct shuffle *shuffle, const struct op *op, unsigned lane,
                        unsigned source, uint32_t b, uint32_t c)
{
    uint32_t bit = UINT32_C(1) << source;
    bool is_named = (shuffle->members[lane] & bit) != 0;
    bool takes_part = is_named && (shuffle->here & bit) != 0;
    unsigned in_segment = lane & ~(c >> 8) & 31;
    bool is_left_over = !is_named && op->kind == PTX_SUB_DOWN && in_segment >= (b & 31);
    bool is_stranger = (shuffle->members[lane] >> lane & 1) == 0; /* which is reported already */
    if (!takes_part && !is_left_over && !is_stranger && (shuffle->excused & bit) == 0) {
        shuffle->source = shuffle->undefined == 0 ? bit : shuffle->source;
        shuffle->undefined |= UINT32_C(1) << lane;
    }
}

/* Lanes of a warp that the launch does not have. */
static uint32_t lanes_beyond(const struct warp *warp)
{
    uint32_t lanes = warp->block->launch->threads - warp->index * LANES;
    return lanes >= LANES ? 0 : ALL_LANES << lanes;
}

void shuffle_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t missing;
    if (mask != 0) {
        struct shuffle shuffle = {.members = words(warp, op->slot[5]), .here = mask};
        if (!all_came(warp, op, shuffle.members, mask, &missing)) {
            return;
        }
        shuffle.excused = missing | lanes_beyond(warp);
        uint32_t result[LANES];
        uint32_t in_range_lanes = 0;
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            uint32_t b = words(warp, op->slot[3])[lane];
            uint32_t c = words(warp, op->slot[4])[lane];
            bool in_range;
            unsigned source = shuffle_source(op->kind, lane, b, c, &in_range);
            bool is_here = source < LANES && (mask >> source & 1) != 0;
            result[lane] = is_here ? words(warp, op->slot[2])[source] : 0;
            in_range_lanes |= in_range ? UINT32_C(1) << lane : 0;
            if (in_range && source != lane && source < LANES) {
                note_source(&shuffle, op, lane, source, b, c);
            }
        }
        if (shuffle.undefined != 0) {
            uint32_t members = shuffle.members[__builtin_ctz(shuffle.undefined)];
            report(warp, op, FINDING_RECORD_SHUFFLE_UNDEFINED, shuffle.undefined, members,
                   shuffle.source);
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
    uint32_t missing;
    const uint32_t *members = words(warp, op->slot[2]);
    if (mask != 0 && !all_came(warp, op, members, mask, &missing)) {
        return;
    }
    uint32_t votes = *words(warp, op->slot[1]);
    uint32_t *d = words(warp, op->slot[0]);
    for (uint32_t left = mask; left != 0;) {
        uint32_t alike = lanes_alike(members, left);
        uint32_t voters = mask & members[__builtin_ctz(left)];
        uint32_t yes = votes & voters;
        if (op->kind == PTX_SUB_BALLOT) {
            for (uint32_t lanes = alike; lanes != 0; lanes &= lanes - 1) {
                d[__builtin_ctz(lanes)] = yes;
            }
        } else {
            bool holds = op->kind == PTX_SUB_ALL   ? yes == voters
                         : op->kind == PTX_SUB_ANY ? yes != 0
                                                   : yes == voters || yes == 0;
            *d = holds ? *d | alike : *d & ~alike;
        }
        left &= ~alike;
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

/* Matches the values of lanes that name the same lanes. */
static void match_alike(struct warp *warp, const struct op *op, uint32_t alike, uint32_t voters)
{
    uint32_t result[LANES];
    bool all_equal = true;
    for (uint32_t left = alike; left != 0; left &= left - 1) {
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
    for (uint32_t left = alike; left != 0 && op->slot[0] != NO_SLOT; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        words(warp, op->slot[0])[lane] = is_all ? (all_equal ? voters : 0) : result[lane];
    }
    if (op->slot[1] != NO_SLOT) {
        uint32_t *p = words(warp, op->slot[1]);
        *p = all_equal ? *p | alike : *p & ~alike;
    }
}

void match_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    uint32_t missing;
    const uint32_t *members = words(warp, op->slot[3]);
    if (mask != 0 && !all_came(warp, op, members, mask, &missing)) {
        return;
    }
    for (uint32_t left = mask; left != 0;) {
        uint32_t alike = lanes_alike(members, left);
        match_alike(warp, op, alike, mask & members[__builtin_ctz(left)]);
        left &= ~alike;
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
    uint32_t missing;
    const uint32_t *members = words(warp, op->slot[2]);
    if (mask != 0 && !all_came(warp, op, members, mask, &missing)) {
        return;
    }
    for (uint32_t todo = mask; todo != 0;) {
        uint32_t alike = lanes_alike(members, todo);
        uint32_t left = mask & members[__builtin_ctz(todo)];
        uint32_t total = left == 0 ? 0 : words(warp, op->slot[1])[__builtin_ctz(left)];
        for (left &= left - 1; left != 0; left &= left - 1) {
            total = reduce_two(op, total, words(warp, op->slot[1])[__builtin_ctz(left)]);
        }
        for (uint32_t lanes = alike; lanes != 0; lanes &= lanes - 1) {
            words(warp, op->slot[0])[__builtin_ctz(lanes)] = total;
        }
        todo &= ~alike;
    }
    finish(warp, op);
}
