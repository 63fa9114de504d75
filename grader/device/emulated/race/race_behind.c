/* race_behind.c: see race_behind.h. */
#include "device/emulated/race/race_behind.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 1 << 7,
    SLOTS_MOST = 1 << 14,
    /* so many events the launch is not charged with: those to the next meeting of a block */
    SET_FREE = 32,
    REACH_FREE = 256,
};

/* What a slot holds. */
struct race_place {
    uint64_t pass;
    uint32_t start, event, warp, lanes;
    uint32_t to;    /* of a set: up to which event */
    bool is_common; /* of a reach: race_item_is_common() */
};

void race_behind_init(struct race_behind *behind, uint32_t warps)
{
    *behind = (struct race_behind){.set = calloc((size_t)warps + 1, sizeof *behind->set),
                                   .at = calloc(warps, sizeof *behind->at)};
    if (behind->set == NULL || behind->at == NULL) {
        abort();
    }
}

static void free_tables(struct race_behind *behind)
{
    free(behind->places);
    free(behind->sets);
    free(behind->reaches);
    free(behind->reached);
}

void race_behind_release(struct race_behind *behind)
{
    free(behind->set);
    free(behind->at);
    free_tables(behind);
    *behind = (struct race_behind){0};
}

void race_behind_begin(struct race_behind *behind, const struct race_order *order)
{
    behind->order = order;
    behind->pass++;
    behind->work = 0;
    behind->slots = SLOTS_FIRST;
    behind->collisions = 0;
}

static void charge(struct race_behind *behind, uint32_t events, uint32_t free_events)
{
    behind->work += events > free_events ? events - free_events : 0;
}

static bool is_place(const struct race_place *known, const struct race_place *place)
{
    return known->pass == place->pass && known->start == place->start &&
           known->event == place->event && known->warp == place->warp &&
           known->lanes == place->lanes;
}

static size_t slot_of(const struct race_place *place, uint32_t slots)
{
    return race_place_hash(place->start, place->event, place->warp, place->lanes) & (slots - 1);
}

/* Makes room for the slots of this pass. */
static void make_tables(struct race_behind *behind)
{
    const struct race_order *order = behind->order;
    size_t room = behind->slots;

    free_tables(behind);
    behind->room = behind->slots;
    behind->places = calloc(room, sizeof *behind->places);
    behind->sets = calloc(room, order->words * sizeof *behind->sets);
    behind->reaches = calloc(room, sizeof *behind->reaches);
    behind->reached = calloc(room, order->warps * sizeof *behind->reached);
    if (behind->places == NULL || behind->sets == NULL || behind->reaches == NULL ||
        behind->reached == NULL) {
        abort();
    }
}

/* Notes that what a slot holds gives way. Forgets all and doubles the tables when much did. */
static void give_way(struct race_behind *behind, const struct race_place *known)
{
    behind->collisions += known->pass == behind->pass;
    if (behind->collisions > behind->slots && behind->slots < SLOTS_MOST) {
        behind->slots *= 2;
        behind->collisions = 0;
        behind->pass++;
    }
}

/* The slot of a place in one of the two tables. */
static size_t find(struct race_behind *behind, struct race_place **table, struct race_place *place)
{
    if (behind->room < behind->slots) {
        make_tables(behind);
    }
    size_t slot = slot_of(place, behind->slots);
    if (!is_place(&(*table)[slot], place)) {
        give_way(behind, &(*table)[slot]);
        if (behind->room < behind->slots) {
            make_tables(behind);
        }
        place->pass = behind->pass;
        slot = slot_of(place, behind->slots);
    }
    return slot;
}

const uint32_t *race_behind_set(struct race_behind *behind, const struct race_item *item,
                                unsigned lane, uint32_t to)
{
    const struct race_order *order = behind->order;
    struct race_place place = {behind->pass,        item->start, item->event, item->warp,
                               UINT32_C(1) << lane, to,          false};
    size_t slot = find(behind, &behind->places, &place);
    struct race_place *known = &behind->places[slot];
    uint32_t *set = &behind->sets[slot * order->words];
    uint32_t from = known->to;
    if (!is_place(known, &place) || from > to) {
        race_item_start(order, item, lane, set);
        from = item->event;
    }
    charge(behind, race_order_advance(order, from, to, set), SET_FREE);
    *known = place;
    return set;
}

/* Works out a reach: the latest of that of each lane. Lanes that have all but themselves in common
 * have the latest of any two of them. */
static void work_out(struct race_behind *behind, const struct race_item *item, bool is_common,
                     uint16_t *reached)
{
    const struct race_order *order = behind->order;
    unsigned left_over = is_common ? 2 : LANES;
    memset(reached, 0, order->warps * sizeof *reached);
    for (uint32_t left = item->lanes; left != 0 && left_over > 0; left &= left - 1, left_over--) {
        race_item_start(order, item, (unsigned)__builtin_ctz(left), behind->set);
        charge(behind, race_order_reach(order, item->event, behind->set, behind->at), REACH_FREE);
        for (uint32_t w = 0; w < order->warps; w++) {
            reached[w] = reached[w] > behind->at[w] ? reached[w] : behind->at[w];
        }
    }
}

static size_t reach_of(struct race_behind *behind, const struct race_item *item, uint32_t lanes)
{
    const struct race_order *order = behind->order;
    struct race_place place = {behind->pass, item->start, item->event, item->warp, lanes, 0, false};
    size_t slot = find(behind, &behind->reaches, &place);
    if (!is_place(&behind->reaches[slot], &place)) {
        struct race_item whole = *item;
        whole.lanes = lanes;
        place.is_common = race_item_is_common(order, &whole);
        work_out(behind, &whole, place.is_common, &behind->reached[slot * order->warps]);
        behind->reaches[slot] = place;
    }
    return slot;
}

/* The reach of all lanes of an item's warp; valid until the next one. */
static const struct race_place *whole_reach(struct race_behind *behind,
                                            const struct race_item *item, size_t *out_slot)
{
    *out_slot = reach_of(behind, item, race_order_lanes(behind->order, item->warp));
    return &behind->reaches[*out_slot];
}

uint16_t race_behind_reach(struct race_behind *behind, const struct race_item *item, uint32_t lanes,
                           uint32_t warp)
{
    size_t slot;
    if (!whole_reach(behind, item, &slot)->is_common || warp == item->warp) {
        slot = reach_of(behind, item, lanes);
    }
    return behind->reached[slot * behind->order->warps + warp];
}

bool race_behind_is_common(struct race_behind *behind, const struct race_item *item)
{
    size_t slot;
    if (!whole_reach(behind, item, &slot)->is_common) {
        slot = reach_of(behind, item, item->lanes);
    }
    return behind->reaches[slot].is_common;
}
