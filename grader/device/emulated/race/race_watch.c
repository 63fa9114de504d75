/* race_watch.c: see race_watch.h. */
#include "device/emulated/race/race_watch.h"

#include "base/rng.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/finding_table.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/race/race_cover.h"
#include "device/emulated/race/race_interval.h"

#include <stdlib.h>
#include <string.h>

/* In a chain: beside kinds of events and keys of shapes. */
enum { PART_OF_SHAPE = 1 << 8 };

struct race_memory {
    const struct launch *launch;
    uint64_t secret[4];
    uint32_t owners; /* logs, and times that one has forgotten its shapes */
    uint32_t words;  /* of shared memory */
    struct race_memo intervals, pairs;
};

/* What a warp has done in the interval. */
struct race_warp {
    uint64_t chain[2]; /* a hash of its entries and events, in their order */
    uint32_t event;    /* how many events there were when it last took part in one */
    uint32_t full;     /* the same for a sync of all its lanes */
    uint32_t fenced;   /* lanes with a fence behind which they have not released */
    uint32_t loaded;   /* lanes with an atomic or the like behind which they have no fence */
    uint32_t shown;    /* lanes that have released, and done nothing new since */
    uint32_t seen;     /* lanes that have seen release number `releases` */
    uint32_t releases;
    uint64_t atomic; /* which atomic it executed last, and where */
};

struct race_log {
    struct race_memory *memory;
    const struct block *block;
    uint32_t owner; /* for access_pattern.race_owner */
    struct race_shapes shapes;
    struct race_judge judge;
    struct race_covers covers;
    struct race_cover *cover; /* of `now`, when it ends */
    struct race_interval both[2];
    struct race_interval *now, *before;
    uint32_t hashed;          /* entries of `now` that are in the chains */
    uint32_t index;           /* of `now` in the block */
    const struct op *barrier; /* between `before` and `now`; NULL: `before` holds nothing */
    struct race_warp *warps;  /* [warp_count] */
    uint32_t releases;        /* in the interval */
    uint64_t released[2];     /* a hash of them, in their order */
    uint32_t *arrivals;       /* [BARRIERS][2][warp_count + 1] sets that came, and that waited */
    uint8_t *written; /* [words] bytes that were written before `now`, a bit for each of a word */
    struct race_key written_hash;
};

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count == 0 ? 1 : count, bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

struct race_memory *race_memory_new(const struct launch *launch)
{
    if (launch->shared_bytes == 0 || launch->is_unwatched) {
        return NULL;
    }
    struct race_memory *memory = allocate(1, sizeof *memory);
    struct rng rng;
    uint64_t seed = 0;
    rng_seed_from_system(&seed);
    rng_init(&rng, seed, 0, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        memory->secret[i] = rng_next(&rng) | 1;
    }
    memory->launch = launch;
    memory->words = (uint32_t)((launch->shared_bytes + 3) / 4);
    return memory;
}

void race_memory_free(struct race_memory *memory)
{
    if (memory != NULL) {
        race_memo_release(&memory->intervals);
        race_memo_release(&memory->pairs);
        free(memory);
    }
}

struct race_log *race_log_new(const struct block *block)
{
    struct race_memory *memory = block->worker->races;
    if (memory == NULL) {
        return NULL;
    }
    struct race_log *log = allocate(1, sizeof *log);
    log->memory = memory;
    log->block = block;
    log->owner = ++memory->owners;
    log->now = &log->both[0];
    log->before = &log->both[1];
    race_judge_init(&log->judge, block->worker);
    race_interval_init(log->now, memory->launch->threads, memory->words);
    race_interval_init(log->before, memory->launch->threads, memory->words);
    log->warps = allocate(block->warp_count, sizeof *log->warps);
    log->arrivals = allocate((size_t)BARRIERS * 2 * (block->warp_count + 1), sizeof *log->arrivals);
    log->written = allocate(memory->words, sizeof *log->written);
    return log;
}

void race_log_free(struct race_log *log)
{
    if (log != NULL) {
        race_interval_release(&log->both[0]);
        race_interval_release(&log->both[1]);
        race_shapes_release(&log->shapes);
        race_judge_release(&log->judge);
        race_covers_release(&log->covers);
        free(log->warps);
        free(log->arrivals);
        free(log->written);
        free(log);
    }
}

static struct race_fold fold_of(const struct race_log *log)
{
    return (struct race_fold){
        .code = log->memory->launch->code,
        .worker = log->block->worker,
        .ranges = log->block->worker->ranges,
        .shapes = &log->shapes,
        .written = log->written,
    };
}

/* Puts numbers into the hash of what a warp did. */
static void chain(const struct race_log *log, struct race_warp *warp, uint64_t a, uint64_t b)
{
    const uint64_t *secret = log->memory->secret;
    warp->chain[0] = race_mix(warp->chain[0] ^ a ^ secret[0], b ^ secret[1]);
    warp->chain[1] = race_mix(a ^ secret[2], warp->chain[1] ^ b ^ secret[3]);
}

static void hash_entries(struct race_log *log)
{
    const struct race_interval *now = log->now;
    for (uint32_t i = log->hashed; i < now->count; i++) {
        const struct race_entry *entry = &now->entries[i];
        const struct race_shape *shape = &log->shapes.shapes[entry->shape];
        chain(log, &log->warps[entry->warp], (uint64_t)entry->access << 32 | entry->first,
              shape->key);
        if (entry->lanes != shape->mask) {
            chain(log, &log->warps[entry->warp], entry->lanes, PART_OF_SHAPE);
        }
    }
    log->hashed = now->count;
}

static struct race_key hash_of_interval(struct race_log *log)
{
    const uint64_t *secret = log->memory->secret;
    struct race_key key = {{0, 0}};
    hash_entries(log);
    for (uint32_t w = 0; w < log->block->warp_count; w++) {
        key.bits[0] += race_mix(log->warps[w].chain[0] ^ secret[2], w ^ secret[3]);
        key.bits[1] += race_mix(log->warps[w].chain[1] ^ secret[0], w ^ secret[1]);
    }
    return key;
}

static struct race_key hash_of_two(const struct race_log *log, struct race_key a, struct race_key b)
{
    const uint64_t *secret = log->memory->secret;
    return (struct race_key){{race_mix(a.bits[0] ^ secret[1], b.bits[0] ^ secret[2]) + a.bits[1],
                              race_mix(a.bits[1] ^ secret[3], b.bits[1] ^ secret[0]) + b.bits[0]}};
}

static struct race_key hash_of_written(const struct race_log *log)
{
    const uint64_t *secret = log->memory->secret;
    struct race_key key = {{0, 0}};
    for (uint32_t i = 0; i < log->memory->words; i += 8) {
        uint32_t left = log->memory->words - i;
        uint64_t part = 0;
        memcpy(&part, log->written + i, left < 8 ? left : 8);
        key.bits[0] = race_mix(key.bits[0] ^ part ^ secret[0], secret[1]);
        key.bits[1] = race_mix(key.bits[1] ^ part ^ secret[2], secret[3]);
    }
    return key;
}

/* Drops the entries of the log, after putting them into the cells. */
static void cut(struct race_log *log)
{
    struct race_fold fold = fold_of(log);
    hash_entries(log);
    race_interval_cut(log->now, &fold);
    log->hashed = 0;
}

/* Makes room for shapes. The interval before needs its own no more once it is in its cells. */
static void forget_shapes(struct race_log *log)
{
    struct race_fold fold = fold_of(log);
    race_interval_fold(log->before, &fold);
    cut(log);
    race_shapes_clear(&log->shapes);
    log->now->round++; /* what is known of its entries names shapes */
    log->owner = ++log->memory->owners;
}

static uint32_t shape_of(struct race_log *log, uint32_t mask, const int32_t delta[LANES])
{
    const uint64_t *secret = log->memory->secret;
    uint32_t shape = race_shapes_find(&log->shapes, secret, mask, delta);
    if (shape == 0) {
        forget_shapes(log);
        shape = race_shapes_find(&log->shapes, secret, mask, delta);
    }
    return shape;
}

/* Keeps what a plain store writes: the slots of its data. */
static void keep_values(struct race_interval *now, const struct warp *warp, const struct op *op)
{
    uint32_t words = LANES * (op->slot_bytes == 8 ? 2u : 1u);
    for (unsigned k = 0; k < op->count; k++) {
        memcpy(now->values + now->value_count, warp->file + op->slot[k], words * sizeof(uint32_t));
        now->value_count += words;
    }
}

/* Notes that a warp has done something new; an atomic that is tried again and again is not. */
static void note_access(struct race_warp *own, const struct race_entry *entry, uint8_t role)
{
    uint64_t atomic = (uint64_t)entry->access << 32 | entry->first;
    bool is_again = (role & ROLE_ATOMIC) != 0 && own->atomic == atomic;
    own->atomic = atomic;
    own->shown = is_again ? own->shown : 0;
}

/* A request of the lanes of `mask`, a part of the shape. */
static void append(struct race_log *log, const struct warp *warp, const struct op *op,
                   uint32_t mask, uint32_t shape, uint32_t first)
{
    struct race_interval *now = log->now;
    uint8_t role = log->memory->launch->code->accesses[op->access_index].role;
    bool has_values = race_is_plain_write(role);
    uint32_t values = has_values ? LANES * op->count * (op->slot_bytes == 8 ? 2u : 1u) : 0;
    if (!race_interval_has_room(now, values)) {
        cut(log);
        race_interval_has_room(now, values);
    }
    now->entries[now->count++] = (struct race_entry){
        .access = op->access_index,
        .first = first,
        .shape = shape,
        .lanes = mask,
        .value = now->value_count,
        .event = log->warps[warp->index].event,
        .warp = warp->index,
    };
    note_access(&log->warps[warp->index], &now->entries[now->count - 1], role);
    now->is_empty = false;
    if ((role & ROLE_WRITES) != 0) {
        now->has_writes = true;
    }
    if (has_values) {
        keep_values(now, warp, op);
    }
}

void race_log_pattern(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                      uint32_t first)
{
    struct race_log *log = warp->block->races;
    if (log == NULL) {
        return;
    }
    if (pattern->race_epoch != pattern->epoch || pattern->race_owner != log->owner) {
        pattern->race_shape = shape_of(log, pattern->mask, pattern->delta);
        pattern->race_epoch = pattern->epoch;
        pattern->race_owner = log->owner;
    }
    append(log, warp, op, pattern->active, pattern->race_shape, first);
}

void race_log_lanes(struct warp *warp, const struct op *op, uint32_t mask,
                    const uint32_t offsets[LANES])
{
    struct race_log *log = warp->block->races;
    if (log == NULL || mask == 0) {
        return;
    }
    uint32_t first = offsets[__builtin_ctz(mask)];
    int32_t delta[LANES] = {0};
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        delta[lane] = (int32_t)(offsets[lane] - first);
    }
    append(log, warp, op, mask, shape_of(log, mask, delta), first);
}

const struct shared_tile *race_tile_at(const struct block *block, uint64_t offset)
{
    const struct kernel_code *code = block->launch->code;
    for (size_t i = 0; i < code->tile_count; i++) {
        const struct shared_range *range = &block->worker->ranges[i + 1];
        if (offset - range->start < range->bytes) {
            return &code->tiles[i];
        }
    }
    return NULL;
}

static struct fault_place place_of(const struct kernel_code *code, uint32_t site, uint32_t thread)
{
    const struct op *op = &code->ops[code->site_ops[site]];
    return (struct fault_place){op, op_access(op), thread, 0};
}

static void report(const struct race_log *log, const struct race_found *found)
{
    const struct kernel_code *code = log->memory->launch->code;
    const struct shared_tile *tile = race_tile_at(log->block, found->offset);
    struct fault fault = {
        .kind = found->kind,
        .places[0] = place_of(code, found->sites[0], found->threads[0]),
        .block = log->block->linear,
        .rank = (uint64_t)log->index << 32 | found->offset / 4,
        .count = found->words,
        .address = found->offset,
        .object = tile != NULL ? tile->name : NULL,
    };
    fault.access_bytes = (uint32_t)fault.places[0].op->bytes * fault.places[0].op->count;
    if (tile != NULL) {
        const struct shared_range *range = &log->block->worker->ranges[tile - code->tiles + 1];
        fault.object_bytes = range->bytes;
        fault.distance_bytes = (int64_t)(found->offset - range->start);
    }
    if (found->kind != FINDING_RECORD_SHARED_UNINITIALISED) {
        fault.places[1] = place_of(code, found->sites[1], found->threads[1]);
    }
    finding_table_add(log->block->worker->findings, &fault);
}

/* Moves what the judge has charged for an interval to the interval's own account. */
static void note_judged(struct race_log *log, struct race_interval *interval)
{
    interval->work += log->judge.work;
    interval->charged += log->judge.work;
    race_judge_clear_work(&log->judge);
}

/* Keeps the verdict on the interval that ends. `written` is what has become of log->written. */
static void keep_verdict(struct race_log *log, struct race_key key, bool has_written)
{
    const struct race_judge *judge = &log->judge;
    struct race_verdict verdict = {.key = key,
                                   .found_count = judge->found_count,
                                   .work = log->now->work + log->now->cells.work,
                                   .is_clean = log->now->is_clean};
    size_t bytes = judge->found_count * sizeof *verdict.found;
    if (judge->found_count > 0) {
        verdict.found = allocate(judge->found_count, sizeof *verdict.found);
        memcpy(verdict.found, judge->found, bytes);
    }
    if (has_written) {
        verdict.written = allocate(log->memory->words, sizeof *verdict.written);
        memcpy(verdict.written, log->written, log->memory->words);
        verdict.written_hash = log->written_hash;
        bytes += log->memory->words;
    }
    race_memo_add(&log->memory->intervals, &verdict, bytes + sizeof verdict);
}

static void judge_anew(struct race_log *log, struct race_key key)
{
    struct race_judge *judge = &log->judge;
    struct race_interval *now = log->now;
    struct race_fold fold = fold_of(log);
    bool has_written;
    now->is_clean = true;
    if (race_cover_has(&log->covers, log->cover, now, &fold)) {
        has_written = race_cover_mark(log->cover, now, &fold, log->written);
    } else if (race_sketch_make(now, &fold)) {
        has_written = race_sketch_mark(&now->sketch, log->written);
    } else {
        const struct race_side side = {&now->cells, &now->order};
        now->is_clean = false;
        race_interval_fold(now, &fold);
        race_judge_cells(judge, &side, true);
        note_judged(log, now);
        has_written = race_cells_mark(&now->cells, log->written);
    }
    for (uint32_t i = 0; i < judge->found_count; i++) {
        report(log, &judge->found[i]);
    }
    if (has_written) {
        log->written_hash = hash_of_written(log);
    }
    if (!judge->used_values) {
        keep_verdict(log, key, has_written);
    }
    race_judge_clear(judge);
}

/* Judges the interval that ends. */
static void judge_interval(struct race_log *log)
{
    struct race_interval *now = log->now;
    now->hash = hash_of_interval(log);
    log->cover = race_cover_of(&log->covers, log->index, log->owner, &log->written_hash);
    struct race_key key = hash_of_two(log, now->hash, log->written_hash);
    const struct race_verdict *known = race_memo_find(&log->memory->intervals, key);
    if (known == NULL) {
        judge_anew(log, key);
        return;
    }
    race_interval_charge(now, log->block->worker, known->work);
    now->is_clean = known->is_clean;
    for (uint32_t i = 0; i < known->found_count; i++) {
        report(log, &known->found[i]);
    }
    if (known->written != NULL) {
        memcpy(log->written, known->written, log->memory->words);
        log->written_hash = known->written_hash;
    }
    race_judge_clear(&log->judge);
}

/* The same as is_needed() by the sketches of both intervals, without cells. */
static enum race_crossing is_needed_by_sketch(struct race_log *log)
{
    struct race_interval *now = log->now;
    struct race_interval *before = log->before;
    struct race_fold fold = fold_of(log);
    bool has_events = now->order.count > 0 || before->order.count > 0 || now->order.has_partial ||
                      before->order.has_partial;
    if (has_events) {
        return CROSSES_PERHAPS;
    }
    if (now->is_clean && before->is_clean && race_cover_crosses(log->cover, before, now)) {
        return CROSSES;
    }
    if (!race_sketch_make(now, &fold) || !race_sketch_make(before, &fold)) {
        return CROSSES_PERHAPS;
    }
    enum race_crossing crossing = race_sketch_crosses(&before->sketch, &now->sketch);
    if (crossing == CROSSES) {
        race_cover_learn_crossings(log->cover, before, now, &fold);
    }
    return crossing;
}

/* True if the barrier between the last two intervals was needed. */
static bool is_needed(struct race_log *log)
{
    struct race_interval *now = log->now;
    struct race_interval *before = log->before;
    if (!now->has_writes && !before->has_writes) {
        return false;
    }
    struct race_verdict pair = {.key = hash_of_two(log, before->hash, now->hash)};
    const struct race_verdict *known = race_memo_find(&log->memory->pairs, pair.key);
    if (known != NULL) {
        worker_add_work(log->block->worker, known->work);
        return known->is_needed;
    }
    enum race_crossing crossing = is_needed_by_sketch(log);
    if (crossing != CROSSES_PERHAPS) {
        pair.is_needed = crossing == CROSSES;
        race_memo_add(&log->memory->pairs, &pair, sizeof pair);
        return pair.is_needed;
    }
    struct race_judge *judge = &log->judge;
    struct race_fold fold = fold_of(log);
    race_interval_fold(now, &fold);
    race_interval_fold(before, &fold);
    const struct race_side first = {&before->cells, &before->order};
    const struct race_side second = {&now->cells, &now->order};
    pair.is_needed = race_judge_crosses(judge, &first, &second);
    pair.work = judge->work;
    if (!judge->used_values) {
        race_memo_add(&log->memory->pairs, &pair, sizeof pair);
    }
    race_judge_clear(judge);
    return pair.is_needed;
}

/* Judges the interval that ends, and the barrier before it. An interval without accesses leaves
 * the one before it where it is, so that the last of several barriers in a row is the needed one.
 */
static void end_interval(struct race_log *log)
{
    struct race_interval *now = log->now;
    if (!now->is_empty) {
        judge_interval(log);
        if (log->barrier != NULL && is_needed(log)) {
            count_needed(log->block->worker, log->barrier);
        }
        log->now = log->before;
        log->before = now;
    }
    race_interval_clear(log->now);
    memset(log->warps, 0, log->block->warp_count * sizeof *log->warps);
    log->releases = 0;
    memset(log->released, 0, sizeof log->released);
    log->hashed = 0;
    log->index++;
}

void race_barrier(struct block *block, const struct op *op)
{
    struct race_log *log = block->races;
    if (log != NULL) {
        bool has_before = !log->now->is_empty || log->barrier != NULL;
        end_interval(log);
        log->barrier = has_before ? op : NULL;
    }
}

/* Begins an event; when there have been too many, they are dropped. */
static void prepare_event(struct race_log *log)
{
    struct race_interval *now = log->now;
    hash_entries(log);
    if (now->order.count < RACE_EVENTS_MAX * now->order.warps) {
        return;
    }
    const struct race_side side = {&now->cells, &now->order};
    cut(log);
    race_judge_cells(&log->judge, &side, false);
    note_judged(log, now);
    race_interval_drop_events(now);
    race_interval_charge(now, log->block->worker, now->work + now->cells.work);
    for (uint32_t w = 0; w < log->block->warp_count; w++) {
        log->warps[w].event = 0;
        log->warps[w].full = 0;
    }
}

/* The lanes of a warp that there were at the beginning. */
static uint32_t lanes_of(const struct race_log *log, uint32_t warp)
{
    uint32_t threads = log->memory->launch->threads - warp * LANES;
    return threads >= LANES ? ALL_LANES : (UINT32_C(1) << threads) - 1;
}

void race_warp_sync(struct warp *warp, uint32_t mask)
{
    struct race_log *log = warp->block->races;
    if (log == NULL) {
        return;
    }
    prepare_event(log);
    struct race_warp *own = &log->warps[warp->index];
    uint32_t lanes = lanes_of(log, warp->index);
    own->event = log->now->order.count + 1;
    own->full = (mask & lanes) == lanes ? own->event : own->full;
    own->shown = 0;
    race_order_add(&log->now->order, (struct race_event){.kind = RACE_WARP_SYNC,
                                                         .warp = warp->index,
                                                         .mask = mask,
                                                         .full = own->full});
    chain(log, own, mask, 1);
}

/* Adds an event of a warp. */
static void add_order(struct race_log *log, const struct warp *warp, enum race_event_kind kind,
                      uint32_t lanes)
{
    struct race_warp *own = &log->warps[warp->index];
    struct race_order *order = &log->now->order;
    prepare_event(log);
    own->event = order->count + 1;
    race_order_add(
        order, (struct race_event){
                   .kind = (uint8_t)kind, .warp = warp->index, .mask = lanes, .full = own->full});
}

static void release(struct race_log *log, const struct warp *warp, uint32_t lanes)
{
    struct race_warp *own = &log->warps[warp->index];
    if ((lanes & ~own->shown) == 0) {
        return;
    }
    add_order(log, warp, RACE_RELEASE, lanes);
    chain(log, own, lanes, RACE_RELEASE);
    own->shown |= lanes;
    log->releases++;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t secret = log->memory->secret[i];
        log->released[i] = race_mix(log->released[i] ^ own->chain[i], secret ^ warp->index) + lanes;
    }
}

static void acquire(struct race_log *log, const struct warp *warp, uint32_t lanes)
{
    struct race_warp *own = &log->warps[warp->index];
    own->seen = own->releases == log->releases ? own->seen : 0;
    own->releases = log->releases;
    if (log->releases == 0 || (lanes & ~own->seen) == 0) {
        return;
    }
    add_order(log, warp, RACE_ACQUIRE, lanes);
    chain(log, own, log->released[0], lanes);
    chain(log, own, log->released[1], RACE_ACQUIRE);
    own->seen |= lanes;
    own->shown = 0;
}

void race_fence(struct warp *warp, uint32_t mask)
{
    struct race_log *log = warp->block->races;
    if (log != NULL) {
        struct race_warp *own = &log->warps[warp->index];
        own->fenced |= mask;
        acquire(log, warp, own->loaded & mask);
        own->loaded &= ~mask;
    }
}

void race_order_access(struct warp *warp, uint8_t order, uint32_t mask)
{
    struct race_log *log = warp->block->races;
    if (log == NULL) {
        return;
    }
    struct race_warp *own = &log->warps[warp->index];
    if ((order & ORDER_STORES) != 0) {
        release(log, warp, (order & ORDER_RELEASES) != 0 ? mask : mask & own->fenced);
        own->fenced &= ~mask;
    }
    if ((order & ORDER_ACQUIRES) != 0) {
        acquire(log, warp, mask);
    } else if ((order & ORDER_LOADS) != 0) {
        own->loaded |= mask;
    }
}

static uint32_t *arrivals_of(const struct race_log *log, uint32_t barrier)
{
    return log->arrivals + (size_t)barrier * 2 * (log->block->warp_count + 1);
}

void race_partial_arrival(struct warp *warp, uint32_t barrier, uint32_t mask, bool waits)
{
    struct race_log *log = warp->block->races;
    if (log != NULL) {
        uint32_t *came = arrivals_of(log, barrier);
        struct race_order *order = &log->now->order;
        came[warp->index] |= mask;
        came[log->block->warp_count + 1 + warp->index] |= waits ? mask : 0;
        prepare_event(log);
        race_order_add(order, (struct race_event){.kind = RACE_ARRIVAL,
                                                  .barrier = (uint8_t)barrier,
                                                  .warp = warp->index,
                                                  .mask = mask});
        log->warps[warp->index].event = order->count;
        chain(log, &log->warps[warp->index], mask, (uint64_t)barrier << 1 | waits);
    }
}

/* Puts the meeting into the hashes of the warps that waited: what each that came did before. */
static void chain_barrier(struct race_log *log, const uint32_t *came, const uint32_t *waited)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < log->block->warp_count; w++) {
        sum += came[w] != 0 ? race_mix(log->warps[w].chain[0] ^ came[w], w + waited[w] + 1) : 0;
    }
    for (uint32_t w = 0; w < log->block->warp_count; w++) {
        if (waited[w] != 0) {
            chain(log, &log->warps[w], sum, (uint64_t)came[w] << 32 | waited[w]);
        }
    }
}

bool race_partial_barrier(struct block *block, uint32_t barrier, const struct op *op)
{
    struct race_log *log = block->races;
    if (log == NULL) {
        return false;
    }
    uint32_t *came = arrivals_of(log, barrier);
    uint32_t *waited = came + block->warp_count + 1;
    bool is_whole = true;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        is_whole = is_whole && waited[w] == lanes_of(log, w);
    }
    is_whole = is_whole && op != NULL;
    if (is_whole) {
        race_barrier(block, op);
    } else {
        struct race_order *order = &log->now->order;
        prepare_event(log);
        uint32_t set = race_order_keep(order, waited);
        race_order_add(
            order,
            (struct race_event){.kind = RACE_COMPLETION, .barrier = (uint8_t)barrier, .mask = set});
        chain_barrier(log, came, waited);
        for (uint32_t w = 0; w < block->warp_count; w++) {
            log->warps[w].event = waited[w] != 0 ? order->count : log->warps[w].event;
            log->warps[w].shown = 0;
        }
    }
    memset(came, 0, 2 * ((size_t)block->warp_count + 1) * sizeof *came);
    return is_whole;
}

void race_block_start(struct block *block)
{
    struct race_log *log = block->races;
    if (log != NULL) {
        log->index = 0;
        log->barrier = NULL;
        memset(log->written, 0, log->memory->words);
        log->written_hash = hash_of_written(log);
        memset(log->arrivals, 0,
               (size_t)BARRIERS * 2 * (block->warp_count + 1) * sizeof *log->arrivals);
    }
}

void race_block_finish(struct block *block)
{
    struct race_log *log = block->races;
    if (log != NULL) {
        end_interval(log);
        race_interval_clear(log->before);
    }
}
