/* race_cells.c: see race_cells.h. */
#include "device/emulated/race_cells.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_FIRST = 1024 };

void race_cells_release(struct race_cells *cells)
{
    free(cells->heads);
    free(cells->writers);
    free(cells->items);
    free(cells->touched);
    cells->heads = NULL;
    cells->writers = NULL;
    cells->items = NULL;
    cells->touched = NULL;
    cells->count = 0;
    cells->capacity = 0;
    cells->touched_count = 0;
}

void race_cells_clear(struct race_cells *cells)
{
    for (uint32_t i = 0; i < cells->touched_count; i++) {
        cells->heads[cells->touched[i]] = 0;
    }
    cells->touched_count = 0;
    cells->count = 0;
    cells->is_full = false;
}

/* Room for one item more. */
static void make_room(struct race_cells *cells)
{
    if (cells->heads == NULL) {
        cells->heads = calloc(cells->words, sizeof *cells->heads);
        cells->writers = calloc(cells->words, sizeof *cells->writers);
        cells->touched = calloc(cells->words, sizeof *cells->touched);
    }
    cells->count += cells->count == 0;
    if (cells->count >= cells->capacity) {
        cells->capacity = cells->capacity == 0 ? ITEMS_FIRST : cells->capacity * 2;
        cells->items = reallocarray(cells->items, cells->capacity, sizeof *cells->items);
    }
    if (cells->heads == NULL || cells->writers == NULL || cells->touched == NULL ||
        cells->items == NULL) {
        abort();
    }
}

static void note_writer(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    if ((key->role & ROLE_WRITES) != 0) {
        cells->writers[word].warps |= UINT32_C(1) << key->warp % 32;
        cells->writers[word].lanes |= key->lanes;
    }
}

static void append(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    if (cells->count == RACE_ITEMS_MAX) {
        cells->is_full = true;
        return;
    }
    make_room(cells);
    if (cells->heads[word] == 0) {
        cells->touched[cells->touched_count++] = word;
        cells->writers[word] = (struct race_writers){0, 0};
    }
    struct race_item *item = &cells->items[cells->count];
    *item = *key;
    item->next = cells->heads[word];
    cells->heads[word] = cells->count++;
    note_writer(cells, word, key);
}

/* The same kind of access at the same place in the order; values may differ. */
static bool is_same_access(const struct race_item *a, const struct race_item *b)
{
    return a->site == b->site && a->event == b->event && a->start == b->start &&
           a->warp == b->warp && a->bytes == b->bytes && a->unset == b->unset;
}

/* True if nothing behind an item of the list can be the same access: a warp's items are added in
 * the order of its events, the latest in front. */
static bool is_past(const struct race_item *item, const struct race_item *key)
{
    return item->warp == key->warp && item->start == 0 && key->start == 0 &&
           item->event < key->event;
}

static uint32_t head_of(const struct race_cells *cells, uint32_t word)
{
    return cells->heads == NULL ? 0 : cells->heads[word];
}

/* Adds to an item that is equal but for the lanes, or makes one. */
static void merge(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    for (uint32_t i = head_of(cells, word); i != 0; i = cells->items[i].next) {
        struct race_item *item = &cells->items[i];
        if (is_past(item, key)) {
            break;
        }
        if (is_same_access(item, key) && item->value == key->value && item->multi == key->multi) {
            item->lanes |= key->lanes;
            note_writer(cells, word, key);
            return;
        }
    }
    append(cells, word, key);
}

/* Takes lanes that have written before out of an item, and out of *lanes; if what they write now is
 * different, they are put into an item that tells so. */
static void rewrite(struct race_cells *cells, uint32_t word, uint32_t number,
                    const struct race_item *key, uint32_t *lanes)
{
    struct race_item *item = &cells->items[number];
    uint32_t common = item->lanes & *lanes;
    uint8_t differs =
        (uint8_t)(race_differing_bytes(item->value, key->value) & key->bytes & ~item->multi);
    *lanes &= ~common;
    if (common == 0 || differs == 0) {
        return;
    }
    item->lanes &= ~common;
    struct race_item several = *item;
    several.lanes = common;
    several.multi |= differs;
    several.value &= ~race_byte_bits(several.multi);
    merge(cells, word, &several);
}

void race_cells_add(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    struct race_item rest = *key;
    if (race_is_plain_write(key->role)) {
        uint32_t next;
        for (uint32_t i = head_of(cells, word); i != 0 && rest.lanes != 0; i = next) {
            next = cells->items[i].next;
            if (is_past(&cells->items[i], key)) {
                break;
            }
            if (is_same_access(&cells->items[i], key)) {
                rewrite(cells, word, i, key, &rest.lanes);
            }
        }
    }
    if (rest.lanes != 0) {
        merge(cells, word, &rest);
    }
}

uint8_t race_cells_written_by(const struct race_cells *cells, uint32_t word, uint32_t warp,
                              unsigned lane)
{
    enum { WHOLE = 0xf };
    uint8_t bytes = 0;
    uint32_t first = head_of(cells, word);
    if (first == 0 || (cells->writers[word].warps >> warp % 32 & 1) == 0 ||
        (cells->writers[word].lanes >> lane & 1) == 0) {
        return 0; /* most reads: of what other threads write, over as many items as rounds */
    }
    for (uint32_t i = first; i != 0 && bytes != WHOLE; i = cells->items[i].next) {
        const struct race_item *item = &cells->items[i];
        if (item->warp == warp && (item->role & ROLE_WRITES) != 0 &&
            (item->lanes >> lane & 1) != 0) {
            bytes |= item->bytes;
        }
    }
    return bytes;
}

/* The set of threads behind a lane of an item, after all events. */
static void set_behind(const struct race_order *order, const struct race_item *item, unsigned lane,
                       uint32_t *out_set)
{
    memset(out_set, 0, order->words * sizeof *out_set);
    if (item->start != 0) {
        memcpy(out_set, race_order_set(order, item->start - 1), order->words * sizeof *out_set);
    }
    out_set[item->warp] |= UINT32_C(1) << lane;
    race_order_advance(order, item->event, order->count, out_set);
}

bool race_item_is_common(const struct race_order *order, const struct race_item *item)
{
    if (item->start == 0) {
        return race_order_is_common(order, item->event, item->warp, item->lanes);
    }
    return (item->lanes & ~race_order_set(order, item->start - 1)[item->warp]) == 0;
}

/* Lanes of an item, the lowest one among them, that have the same set behind them; puts that into
 * the first of two sets. */
static uint32_t lanes_alike(const struct race_order *order, const struct race_item *item,
                            uint32_t lanes, uint32_t *sets)
{
    uint32_t first = lanes & -lanes;
    uint32_t rest = lanes & ~first;
    uint32_t *second = sets + order->words;
    set_behind(order, item, (unsigned)__builtin_ctz(first), sets);
    if (rest == 0 || (lanes & ~sets[item->warp]) != 0 || !race_item_is_common(order, item)) {
        return first;
    }
    /* Each set is what all have in common, and its own lane. So if the first two are the same, both
     * lanes are in the common part, and the others are there too. */
    set_behind(order, item, (unsigned)__builtin_ctz(rest), second);
    return memcmp(sets, second, order->words * sizeof *sets) == 0 ? lanes : first;
}

void race_cells_drop_events(struct race_cells *cells, struct race_order *order)
{
    struct race_order next;
    struct race_cells kept = {.words = cells->words, .is_full = cells->is_full};
    uint32_t *sets = calloc((size_t)order->words * 2, sizeof *sets);
    race_order_init(&next, order->warps);
    if (sets == NULL) {
        abort();
    }
    for (uint32_t t = 0; t < cells->touched_count; t++) {
        uint32_t word = cells->touched[t];
        for (uint32_t i = cells->heads[word]; i != 0; i = cells->items[i].next) {
            const struct race_item *item = &cells->items[i];
            struct race_item part = *item;
            part.event = 0;
            for (uint32_t left = item->lanes; left != 0; left &= ~part.lanes) {
                part.lanes = lanes_alike(order, item, left, sets);
                part.start = race_order_keep(&next, sets) + 1;
                merge(&kept, word, &part);
            }
        }
    }
    free(sets);
    race_cells_release(cells);
    race_order_release(order);
    next.has_partial = true;
    *cells = kept;
    *order = next;
}
