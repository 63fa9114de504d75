/* race_cells.c: see race_cells.h. */
#include "device/emulated/race/race_cells.h"

#include <stdlib.h>
#include <string.h>

enum {
    ITEMS_FIRST = 1024,
    STEPS_FREE = 64,   /* of an access: the launch is not charged with them */
    EVENTS_FREE = 512, /* the same of an item whose events are dropped */
    PLACES_FIRST = 1 << 7,
    PLACES_MOST = 1 << 14,
    SET_SLOTS_FIRST = 256,
};

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
    cells->is_crowded = false;
    cells->work = 0;
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

static uint32_t warp_bit(uint32_t warp)
{
    return UINT32_C(1) << warp % 32;
}

static void note_writer(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    if ((key->role & ROLE_WRITES) != 0) {
        cells->writers[word].warps |= warp_bit(key->warp);
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
        cells->writers[word] = (struct race_writers){0, 0, 0, 0, 0};
    }
    cells->items[cells->count] = (struct race_item){
        .next = cells->heads[word],
        .site = key->site,
        .lanes = key->lanes,
        .event = key->event,
        .value = key->value,
        .start = key->start,
        .warp = key->warp,
        .role = key->role,
        .bytes = key->bytes,
        .multi = key->multi,
        .unset = key->unset,
    };
    cells->heads[word] = cells->count++;
    if (key->event > cells->writers[word].latest) {
        cells->writers[word].latest = key->event;
    }
    cells->writers[word].accessors |= warp_bit(key->warp);
    cells->is_crowded = cells->is_crowded || ++cells->writers[word].items > STEPS_FREE;
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

/* The first item of a word that can be the same access; 0: there is none, since all are earlier or
 * of other warps. Most accesses are their warp's first one after a barrier. */
static uint32_t first_alike(const struct race_cells *cells, uint32_t word,
                            const struct race_item *key)
{
    uint32_t head = head_of(cells, word);
    if (head == 0 || key->event > cells->writers[word].latest ||
        (cells->writers[word].accessors & warp_bit(key->warp)) == 0) {
        return 0;
    }
    return head;
}

static void charge(struct race_cells *cells, uint64_t steps, uint64_t free_steps)
{
    cells->work += steps > free_steps ? steps - free_steps : 0;
}

/* Adds to an item that is equal but for the lanes, or makes one. */
static void merge(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    uint64_t steps = 0;
    for (uint32_t i = first_alike(cells, word, key); i != 0; i = cells->items[i].next) {
        struct race_item *item = &cells->items[i];
        steps++;
        if (is_past(item, key)) {
            break;
        }
        if (is_same_access(item, key) && item->value == key->value && item->multi == key->multi) {
            item->lanes |= key->lanes;
            note_writer(cells, word, key);
            charge(cells, steps, STEPS_FREE);
            return;
        }
    }
    charge(cells, steps, STEPS_FREE);
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

/* The same for a plain write, whose lanes may have written before; `first` is first_alike(). */
static void add_write(struct race_cells *cells, uint32_t word, const struct race_item *key,
                      uint32_t first)
{
    struct race_item rest = *key;
    uint32_t next;
    uint64_t steps = 0;
    for (uint32_t i = first; i != 0 && rest.lanes != 0; i = next) {
        next = cells->items[i].next;
        steps++;
        if (is_past(&cells->items[i], key)) {
            break;
        }
        if (is_same_access(&cells->items[i], key)) {
            rewrite(cells, word, i, key, &rest.lanes);
        }
    }
    charge(cells, steps, STEPS_FREE);
    if (rest.lanes != 0) {
        merge(cells, word, &rest);
    }
}

void race_cells_add(struct race_cells *cells, uint32_t word, const struct race_item *key)
{
    uint32_t first = first_alike(cells, word, key);
    if (first == 0) {
        append(cells, word, key);
    } else if (race_is_plain_write(key->role)) {
        add_write(cells, word, key, first);
    } else {
        merge(cells, word, key);
    }
}

uint8_t race_cells_written_by(struct race_cells *cells, uint32_t word, uint32_t warp, unsigned lane)
{
    enum { WHOLE = 0xf };
    uint8_t bytes = 0;
    uint32_t first = head_of(cells, word);
    if (first == 0 || (cells->writers[word].warps & warp_bit(warp)) == 0 ||
        (cells->writers[word].lanes >> lane & 1) == 0) {
        return 0; /* most reads: of what other threads write, over as many items as rounds */
    }
    uint64_t steps = 0;
    for (uint32_t i = first; i != 0 && bytes != WHOLE; i = cells->items[i].next, steps++) {
        const struct race_item *item = &cells->items[i];
        if (item->warp == warp && (item->role & ROLE_WRITES) != 0 &&
            (item->lanes >> lane & 1) != 0) {
            bytes |= item->bytes;
        }
    }
    charge(cells, steps, STEPS_FREE / LANES);
    return bytes;
}

bool race_cells_mark(const struct race_cells *cells, uint8_t *written)
{
    bool changed = false;
    for (uint32_t t = 0; t < cells->touched_count; t++) {
        uint32_t word = cells->touched[t];
        uint8_t bytes = written[word];
        for (uint32_t i = cells->heads[word]; i != 0; i = cells->items[i].next) {
            bytes |= (cells->items[i].role & ROLE_WRITES) != 0 ? cells->items[i].bytes : 0;
        }
        changed = changed || bytes != written[word];
        written[word] = bytes;
    }
    return changed;
}

void race_item_start(const struct race_order *order, const struct race_item *item, unsigned lane,
                     uint32_t *out_set)
{
    if (item->start != 0) {
        memcpy(out_set, race_order_set(order, item->start - 1), order->words * sizeof *out_set);
    } else {
        memset(out_set, 0, order->words * sizeof *out_set);
    }
    out_set[item->warp] |= UINT32_C(1) << lane;
}

/* The set of threads behind a lane of an item, after all events; the result is how many of these
 * were looked at. */
static uint32_t set_behind(const struct race_order *order, const struct race_item *item,
                           unsigned lane, uint32_t *out_set)
{
    race_item_start(order, item, lane, out_set);
    return race_order_advance(order, item->event, order->count, out_set);
}

bool race_item_is_common(const struct race_order *order, const struct race_item *item)
{
    if (item->start == 0) {
        return race_order_is_common(order, item->event, item->warp, item->lanes);
    }
    return (item->lanes & ~race_order_set(order, item->start - 1)[item->warp]) == 0;
}

/* A place of items in the order. Some of its lanes have the same set behind them after all events.
 */
struct kept_place {
    uint32_t start, event, warp, lanes;
    uint32_t alike;  /* these lanes, with the lowest one of `lanes`; 0: not known */
    uint32_t number; /* 1 plus that of the set */
};

/* What is being kept of the items of some cells. */
struct keeping {
    const struct race_order *order;
    struct race_order next;
    struct race_cells cells;
    struct kept_place *places; /* [place_count]: most items lie at a few places, in many words */
    uint32_t place_count;      /* a power of two; 0: none yet */
    uint32_t collisions;       /* since the table of places grew */
    uint32_t *sets;            /* two, scratch */
    uint32_t *slots;           /* [slot_count] 1 plus the number of a set; 0: free */
    uint32_t slot_count;
};

/* The slot of a set that is kept, or the free one where it belongs. */
static uint32_t *set_slot(const struct keeping *keeping, const uint32_t *set)
{
    const struct race_order *next = &keeping->next;
    uint64_t hash = 0;
    for (uint32_t w = 0; w < next->words; w++) {
        hash = (hash ^ set[w]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    uint32_t slot = (uint32_t)hash & (keeping->slot_count - 1);
    while (keeping->slots[slot] != 0 && memcmp(race_order_set(next, keeping->slots[slot] - 1), set,
                                               next->words * sizeof *set) != 0) {
        slot = (slot + 1) & (keeping->slot_count - 1);
    }
    return &keeping->slots[slot];
}

static void grow_slots(struct keeping *keeping)
{
    free(keeping->slots);
    keeping->slot_count = keeping->slot_count == 0 ? SET_SLOTS_FIRST : keeping->slot_count * 2;
    keeping->slots = calloc(keeping->slot_count, sizeof *keeping->slots);
    if (keeping->slots == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < keeping->next.set_count; i++) {
        *set_slot(keeping, race_order_set(&keeping->next, i)) = i + 1;
    }
}

/* 1 plus the number of a set, which is kept once. */
static uint32_t keep_set(struct keeping *keeping, const uint32_t *set)
{
    if (2 * keeping->next.set_count >= keeping->slot_count) {
        grow_slots(keeping);
    }
    uint32_t *slot = set_slot(keeping, set);
    if (*slot == 0) {
        *slot = race_order_append(&keeping->next, set) + 1;
    }
    return *slot;
}

/* Lanes of an item, the lowest one among them, that have the same set behind them; puts that into
 * the first of two sets. */
static uint32_t lanes_alike(struct keeping *keeping, const struct race_item *item, uint32_t lanes)
{
    const struct race_order *order = keeping->order;
    uint32_t first = lanes & -lanes;
    uint32_t rest = lanes & ~first;
    uint32_t *sets = keeping->sets;
    uint32_t *second = sets + order->words;
    struct race_item part = *item;
    part.lanes = lanes;
    uint32_t steps = set_behind(order, item, (unsigned)__builtin_ctz(first), sets);
    if (rest == 0 || (lanes & ~sets[item->warp]) != 0 || !race_item_is_common(order, &part)) {
        charge(&keeping->cells, steps, EVENTS_FREE);
        return first;
    }
    /* Each set is what all have in common, and its own lane. So if the first two are the same, both
     * lanes are in the common part, and the others are there too. */
    steps += set_behind(order, item, (unsigned)__builtin_ctz(rest), second);
    charge(&keeping->cells, steps, EVENTS_FREE);
    return memcmp(sets, second, order->words * sizeof *sets) == 0 ? lanes : first;
}

/* Begins a table of places that is small, or twice as large as the one before; forgets those. */
static void grow_places(struct keeping *keeping)
{
    free(keeping->places);
    keeping->place_count = keeping->place_count == 0 ? PLACES_FIRST : keeping->place_count * 2;
    keeping->places = calloc(keeping->place_count, sizeof *keeping->places);
    keeping->collisions = 0;
    if (keeping->places == NULL) {
        abort();
    }
}

static struct kept_place *place_slot(const struct keeping *keeping, const struct race_item *item,
                                     uint32_t lanes)
{
    size_t hash = race_place_hash(item->start, item->event, item->warp, lanes);
    return &keeping->places[hash & (keeping->place_count - 1)];
}

/* The place of `lanes` of an item, worked out unless it is known. */
static const struct kept_place *place_of(struct keeping *keeping, const struct race_item *item,
                                         uint32_t lanes)
{
    if (keeping->place_count == 0 ||
        (keeping->collisions > keeping->place_count && keeping->place_count < PLACES_MOST)) {
        grow_places(keeping);
    }
    struct kept_place *place = place_slot(keeping, item, lanes);
    if (place->alike == 0 || place->start != item->start || place->event != item->event ||
        place->warp != item->warp || place->lanes != lanes) {
        uint32_t alike = lanes_alike(keeping, item, lanes);
        keeping->collisions += place->alike != 0;
        *place = (struct kept_place){item->start, item->event, item->warp, lanes, alike, 0};
        place->number = keep_set(keeping, keeping->sets);
    }
    return place;
}

/* The place of the lowest of `lanes`, and of those alike: mostly all of the warp are. */
static struct kept_place place_alike(struct keeping *keeping, const struct race_item *item,
                                     uint32_t lanes)
{
    uint32_t all = race_order_lanes(keeping->order, item->warp);
    if (item->start == 0 && lanes != all) {
        const struct kept_place *whole = place_of(keeping, item, all);
        if (whole->alike == all) {
            return *whole;
        }
    }
    return *place_of(keeping, item, lanes);
}

static void keep_item(struct keeping *keeping, uint32_t word, const struct race_item *item)
{
    struct race_item part = *item;
    part.event = 0;
    for (uint32_t left = item->lanes; left != 0; left &= ~part.lanes) {
        const struct kept_place place = place_alike(keeping, item, left);
        part.lanes = place.alike & left;
        part.start = place.number;
        keeping->cells.work += item->start != 0;
        if (part.multi == 0) {
            race_cells_add(&keeping->cells, word, &part);
        } else {
            merge(&keeping->cells, word, &part);
        }
    }
}

void race_cells_drop_events(struct race_cells *cells, struct race_order *order)
{
    struct keeping keeping = {
        .order = order,
        .cells = {.words = cells->words, .is_full = cells->is_full, .work = cells->work},
        .sets = calloc((size_t)order->words * 2, sizeof *keeping.sets),
    };
    race_order_init(&keeping.next, order->threads);
    if (keeping.sets == NULL) {
        abort();
    }
    for (uint32_t t = 0; t < cells->touched_count; t++) {
        uint32_t word = cells->touched[t];
        for (uint32_t i = cells->heads[word]; i != 0; i = cells->items[i].next) {
            keep_item(&keeping, word, &cells->items[i]);
        }
    }
    free(keeping.places);
    free(keeping.slots);
    free(keeping.sets);
    race_cells_release(cells);
    race_order_release(order);
    keeping.next.has_partial = true;
    *cells = keeping.cells;
    *order = keeping.next;
}
