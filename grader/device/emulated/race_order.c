/* race_order.c: see race_order.h. */
#include "device/emulated/race_order.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_BACK = 256 };

void race_order_init(struct race_order *order, uint32_t warps)
{
    *order = (struct race_order){.warps = warps, .words = warps + 1};
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

void race_order_advance(const struct race_order *order, uint32_t from, uint32_t to, uint32_t *set)
{
    uint32_t *barriers = &set[order->warps];
    for (uint32_t i = from; i < to; i++) {
        const struct race_event *event = &order->events[i];
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
}
