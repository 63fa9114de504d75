/* race_interval.c: see race_interval.h. */
#include "device/emulated/race/race_interval.h"

#include "device/emulated/exec/launch_work.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES_FIRST = 512, VALUES_FIRST = 4096 };

void race_interval_init(struct race_interval *interval, uint32_t threads, uint32_t words)
{
    *interval = (struct race_interval){.cells.words = words};
    race_order_init(&interval->order, threads);
    interval->is_empty = true;
}

void race_interval_release(struct race_interval *interval)
{
    free(interval->entries);
    free(interval->values);
    free(interval->known);
    race_sketch_release(&interval->sketch);
    race_order_release(&interval->order);
    race_cells_release(&interval->cells);
}

void race_interval_clear(struct race_interval *interval)
{
    interval->count = 0;
    interval->value_count = 0;
    interval->has_cells = false;
    interval->is_cut = false;
    interval->has_writes = false;
    interval->is_empty = true;
    interval->is_clean = false;
    interval->work = 0;
    interval->charged = 0;
    race_order_clear(&interval->order);
    race_cells_clear(&interval->cells);
    interval->sketch.status = SKETCH_NONE;
    interval->round++;
}

void race_interval_drop_events(struct race_interval *interval)
{
    race_cells_drop_events(&interval->cells, &interval->order);
    interval->round++;
}

bool race_interval_has_room(struct race_interval *interval, uint32_t values)
{
    if (interval->count == interval->capacity) {
        if (interval->capacity == RACE_ENTRIES_MAX) {
            return false;
        }
        interval->capacity = interval->capacity == 0 ? ENTRIES_FIRST : interval->capacity * 2;
        interval->entries =
            reallocarray(interval->entries, interval->capacity, sizeof *interval->entries);
    }
    if (values > interval->value_capacity - interval->value_count) {
        if (interval->value_capacity == RACE_VALUES_MAX) {
            return false;
        }
        interval->value_capacity =
            interval->value_capacity == 0 ? VALUES_FIRST : interval->value_capacity * 2;
        interval->values =
            reallocarray(interval->values, interval->value_capacity, sizeof *interval->values);
    }
    if (interval->entries == NULL || (interval->value_capacity != 0 && interval->values == NULL)) {
        abort();
    }
    return true;
}

/* An access of an entry that is put into the cells. */
struct folded {
    struct race_interval *interval;
    const struct race_fold *fold;
    const struct race_entry *entry;
    const struct race_shape *shape;
    struct race_access access;
    bool has_unset; /* something was read that nobody wrote before the interval */
    struct race_item item;
};

/* Part of the bytes that a lane stored: four from `from` on, fewer at the end. */
static uint32_t stored_word(const struct folded *access, unsigned lane, unsigned from)
{
    const struct op *op = access->access.op;
    const uint32_t *values = access->interval->values + access->entry->value;
    unsigned words = op->slot_bytes == 8 ? 2 : 1; /* of a lane in a slot */
    unsigned total = (unsigned)op->bytes * op->count;
    uint32_t result = 0;
    if (op->bytes >= 4) {
        return values[(from / op->bytes * LANES + lane) * words + from % op->bytes / 4];
    }
    for (unsigned i = 0; i < 4 && from + i < total; i++) {
        unsigned element = (from + i) / op->bytes;
        unsigned byte = (from + i) % op->bytes;
        uint32_t word = values[(element * LANES + lane) * words + byte / 4];
        result |= (word >> byte % 4 * 8 & 0xff) << i * 8;
    }
    return result;
}

/* Adds what a read finds unset: bytes that nobody wrote before the interval, nor the lane itself in
 * it. Lanes that differ in that are added apart. */
static void add_read(struct folded *access, uint32_t word, uint8_t unset)
{
    struct race_cells *cells = &access->interval->cells;
    struct race_item item = access->item;
    uint32_t rest = 0;
    for (uint32_t left = item.lanes; left != 0; left &= left - 1) {
        uint8_t own = race_cells_written_by(cells, word, item.warp, (unsigned)__builtin_ctz(left));
        if ((own & unset) == 0) {
            rest |= left & -left;
            continue;
        }
        struct race_item single = item;
        single.lanes = left & -left;
        single.unset = unset & (uint8_t)~own;
        race_cells_add(cells, word, &single);
    }
    item.lanes = rest;
    item.unset = unset;
    if (rest != 0) {
        race_cells_add(cells, word, &item);
    }
}

static void add(struct folded *access, uint32_t word)
{
    struct race_item *item = &access->item;
    uint8_t unset = item->bytes & (uint8_t)~access->fold->written[word];
    if (item->lanes == 0) {
        return;
    }
    if (unset != 0 && (item->role & ROLE_READS) != 0) {
        access->has_unset = true;
        add_read(access, word, unset);
    } else {
        race_cells_add(&access->interval->cells, word, item);
    }
    item->lanes = 0;
}

/* Adds the words that begin `from` bytes into each lane's access. Lanes in a row that access the
 * same bytes (and store the same) go together. */
static void fold_words(struct folded *access, unsigned from)
{
    struct race_item *item = &access->item;
    unsigned total = (unsigned)access->access.op->bytes * access->access.op->count;
    unsigned part = total - from < 4 ? total - from : 4;
    bool has_value = race_is_plain_write(item->role);
    uint32_t word = 0;
    item->lanes = 0;
    for (uint32_t left = access->entry->lanes; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t offset = access->access.first + (uint32_t)access->shape->delta[lane];
        if (!race_access_is_valid(&access->access, access->fold, offset)) {
            continue;
        }
        unsigned shift = (offset + from) % 4;
        uint8_t bytes = (uint8_t)(((1u << part) - 1) << shift);
        uint32_t value = has_value ? stored_word(access, lane, from) << shift * 8 : 0;
        if (word != (offset + from) / 4 || item->bytes != bytes || item->value != value) {
            add(access, word);
        }
        word = (offset + from) / 4;
        item->bytes = bytes;
        item->value = value;
        item->lanes |= left & -left;
    }
    add(access, word);
}

static void fold_access(struct folded *access)
{
    const struct op *op = access->access.op;
    access->item = (struct race_item){
        .site = access->fold->code->accesses[access->access.index].site,
        .event = access->entry->event,
        .warp = (uint16_t)access->entry->warp,
        .role = access->access.role,
    };
    for (unsigned from = 0; from < (unsigned)op->bytes * op->count; from += 4) {
        fold_words(access, from);
    }
}

void race_interval_charge(struct race_interval *interval, struct worker *worker, uint64_t work)
{
    if (work > interval->charged) {
        worker_add_work(worker, work - interval->charged);
        interval->charged = work;
    }
}

/* True if no more is to be folded; charges the launch with what has been. */
static bool has_to_stop(struct race_interval *interval, const struct race_fold *fold,
                        uint32_t entry)
{
    if (interval->cells.is_full) {
        launch_stop(fold->worker->launch, STOP_WORK);
    }
    race_interval_charge(interval, fold->worker, interval->work + interval->cells.work);
    return interval->cells.is_full || (entry % 64 == 63 && launch_must_stop(fold->worker));
}

/* Where an entry stands among those that are known. */
static struct race_known *known_place(struct race_interval *interval,
                                      const struct race_entry *entry)
{
    if (interval->known == NULL) {
        interval->known = calloc(RACE_KNOWN, sizeof *interval->known);
        interval->round = 1;
    }
    if (interval->known == NULL) {
        abort();
    }
    uint64_t hash = ((uint64_t)entry->first << 32 | entry->access) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ ((uint64_t)entry->shape << 32 | entry->warp)) * UINT64_C(0xd6e8feb86659fd93);
    hash = (hash ^ ((uint64_t)entry->event << 32 | entry->lanes)) * UINT64_C(0x9e3779b97f4a7c15);
    return &interval->known[hash >> 40 & (RACE_KNOWN - 1)];
}

/* True if an entry, which writes no values, was folded before: loops go round in the same places.
 */
static bool is_known(const struct race_interval *interval, const struct race_known *known,
                     const struct race_entry *entry)
{
    return known->round == interval->round && known->entry.access == entry->access &&
           known->entry.first == entry->first && known->entry.shape == entry->shape &&
           known->entry.lanes == entry->lanes && known->entry.event == entry->event &&
           known->entry.warp == entry->warp && !interval->cells.is_crowded;
}

/* Folds an entry and its followers; true if the same once more would tell nothing new. */
static bool fold_entry(struct race_interval *interval, const struct race_fold *fold,
                       const struct race_entry *entry)
{
    struct folded access = {
        .interval = interval,
        .fold = fold,
        .entry = entry,
        .shape = &fold->shapes->shapes[entry->shape],
    };
    for (uint32_t k = 0; race_entry_access(entry, fold, k, &access.access); k++) {
        fold_access(&access);
    }
    return !access.has_unset;
}

void race_interval_fold(struct race_interval *interval, const struct race_fold *fold)
{
    for (uint32_t i = 0; i < interval->count && !interval->has_cells; i++) {
        if (has_to_stop(interval, fold, i)) {
            break;
        }
        const struct race_entry *entry = &interval->entries[i];
        if (race_is_plain_write(fold->code->accesses[entry->access].role)) {
            fold_entry(interval, fold, entry);
            continue;
        }
        struct race_known *known = known_place(interval, entry);
        if (!is_known(interval, known, entry) && fold_entry(interval, fold, entry)) {
            *known = (struct race_known){*entry, interval->round};
        }
    }
    interval->has_cells = true;
    race_interval_charge(interval, fold->worker, interval->work + interval->cells.work);
}

void race_interval_cut(struct race_interval *interval, const struct race_fold *fold)
{
    race_interval_fold(interval, fold);
    interval->count = 0;
    interval->value_count = 0;
    interval->has_cells = false;
    interval->is_cut = true;
}
