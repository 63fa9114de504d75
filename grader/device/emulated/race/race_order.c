/* race_order.c: see race_order.h. */
#include "device/emulated/race/race_order.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_BACK = 256 };

void race_order_init(struct race_order *order, uint32_t threads)
{
    enum { LANES = 32 };
    uint32_t warps = (threads + LANES - 1) / LANES;
    *order = (struct race_order){.threads = threads,
                                 .warps = warps,
                                 .last_lanes = UINT32_MAX >> (warps * LANES - threads),
                                 .words = warps + 1};
}

void race_order_release(struct race_order *order)
{
    free(order->events);
    free(order->sets);
    *order = (struct race_order){0};
}

void race_order_clear(struct race_order *order)
{
    order->count = 0;
    order->set_count = 0;
    order->has_partial = false;
}

void race_order_add(struct race_order *order, struct race_event event)
{
    if (order->count == order->capacity) {
        order->capacity = order->capacity == 0 ? 64 : order->capacity * 2;
        order->events = reallocarray(order->events, order->capacity, sizeof *order->events);
        if (order->events == NULL) {
            abort();
        }
    }
    order->events[order->count++] = event;
    order->has_partial =
        order->has_partial || (event.kind != RACE_WARP_SYNC && event.kind != RACE_RELEASE);
}

uint32_t race_order_append(struct race_order *order, const uint32_t *set)
{
    size_t bytes = order->words * sizeof *set;
    if (order->set_count == order->set_capacity) {
        order->set_capacity = order->set_capacity == 0 ? 16 : order->set_capacity * 2;
        order->sets = reallocarray(order->sets, order->set_capacity, bytes);
        if (order->sets == NULL) {
            abort();
        }
    }
    memcpy(order->sets + (size_t)order->set_count * order->words, set, bytes);
    return order->set_count++;
}

uint32_t race_order_keep(struct race_order *order, const uint32_t *set)
{
    uint32_t first = order->set_count > LOOK_BACK ? order->set_count - LOOK_BACK : 0;
    for (uint32_t i = first; i < order->set_count; i++) {
        if (memcmp(race_order_set(order, i), set, order->words * sizeof *set) == 0) {
            return i;
        }
    }
    return race_order_append(order, set);
}

/* As long as each set is one of its own lane and a part that all have in common, an event changes
 * the common part alone if it holds for all of the lanes, for none, or whatever lane it is. */
bool race_order_is_common(const struct race_order *order, uint32_t from, uint32_t warp,
                          uint32_t lanes)
{
    for (uint32_t i = from; i < order->count; i++) {
        const struct race_event *event = &order->events[i];
        uint32_t named = event->mask & lanes;
        if (event->warp != warp || event->kind == RACE_COMPLETION || event->kind == RACE_ACQUIRE) {
            continue;
        }
        if (named != 0 && named != lanes) {
            return false;
        }
        if (named == lanes && event->kind == RACE_WARP_SYNC) {
            return true; /* from here on all are in the common part */
        }
    }
    return true;
}

static void apply(const struct race_order *order, const struct race_event *event, uint32_t *set)
{
    uint32_t *barriers = &set[order->warps];
    uint32_t bit = UINT32_C(1) << event->barrier;
    if (event->kind == RACE_WARP_SYNC) {
        set[event->warp] |= (set[event->warp] & event->mask) != 0 ? event->mask : 0;
    } else if (event->kind == RACE_ARRIVAL) {
        *barriers |= (set[event->warp] & event->mask) != 0 ? bit : 0;
    } else if (event->kind == RACE_RELEASE) {
        *barriers |= (set[event->warp] & event->mask) != 0 ? RACE_SHOWN : 0;
    } else if (event->kind == RACE_ACQUIRE) {
        set[event->warp] |= (*barriers & RACE_SHOWN) != 0 ? event->mask : 0;
    } else if ((*barriers & bit) != 0) {
        const uint32_t *waited = race_order_set(order, event->mask);
        for (uint32_t w = 0; w < order->warps; w++) {
            set[w] |= waited[w];
        }
        *barriers &= ~bit;
    }
}

static bool has_warp(const struct race_order *order, const uint32_t *set, uint32_t warp)
{
    return (race_order_lanes(order, warp) & ~set[warp]) == 0;
}

/* The first warp from `warp` on that is not in the set with all its lanes; the number of warps if
 * there is none. */
static uint32_t first_missing(const struct race_order *order, const uint32_t *set, uint32_t warp)
{
    while (warp < order->warps && has_warp(order, set, warp)) {
        warp++;
    }
    return warp;
}

uint32_t race_order_advance(const struct race_order *order, uint32_t from, uint32_t to,
                            uint32_t *set)
{
    uint32_t missing = first_missing(order, set, 0);
    uint32_t i = from;
    while (i < to && missing < order->warps) {
        apply(order, &order->events[i++], set);
        missing = first_missing(order, set, missing);
    }
    if (missing == order->warps) {
        set[order->warps] = 0;
    }
    return i > from ? i - from : 0;
}

static void note_reached(const struct race_order *order, const uint32_t *set, uint32_t warp,
                         uint16_t now, uint16_t *at)
{
    if (at[warp] == RACE_NEVER && has_warp(order, set, warp)) {
        at[warp] = now;
    }
}

uint32_t race_order_reach(const struct race_order *order, uint32_t from, uint32_t *set,
                          uint16_t *at)
{
    uint32_t missing = first_missing(order, set, 0);
    uint32_t i = from;
    for (uint32_t w = 0; w < order->warps; w++) {
        at[w] = has_warp(order, set, w) ? 0 : RACE_NEVER;
    }
    while (i < order->count && missing < order->warps) {
        const struct race_event *event = &order->events[i++];
        bool is_meeting = event->kind == RACE_COMPLETION;
        apply(order, event, set);
        for (uint32_t w = is_meeting ? missing : event->warp;
             w < (is_meeting ? order->warps : event->warp + 1); w++) {
            note_reached(order, set, w, (uint16_t)i, at);
        }
        missing = first_missing(order, set, missing);
    }
    return i > from ? i - from : 0;
}
