/* race_order.h: what orders the accesses of a block within one interval.
 *
 * Between two barriers of the whole block, threads may meet in parts: lanes of a warp at
 * bar.warp.sync, warps at a barrier with a count. A thread that came to such a meeting is ordered
 * before those that waited for it; that order carries on from event to event. A barrier makes
 * several events: each arrival is one, since a thread that only arrives goes on, and the completion
 * is the last. Events are numbered in the order in which they happened; an access is known by how
 * many events there were when its warp last took part in one.
 *
 * Fences and ordered accesses make events too: a release shows what its lanes have done, whatever
 * the address, and an acquire is ordered after everything shown by then.
 *
 *   set of threads   a word for each warp, a bit for each lane; then a word with a bit for each
 *                    barrier that one of them has arrived at and that has not completed, and with
 *                    RACE_SHOWN if one of them has been shown
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_ORDER_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RACE_SHOWN (UINT32_C(1) << 31)

enum { RACE_EVENTS_MAX = 64 }; /* for each warp; then they are dropped (race_cells.h) */
enum { RACE_NEVER = UINT16_MAX };

enum race_event_kind {
    RACE_WARP_SYNC,  /* bar.warp.sync */
    RACE_ARRIVAL,    /* at a barrier with a count of threads */
    RACE_COMPLETION, /* of such a barrier */
    RACE_RELEASE,    /* shows what lanes of a warp have done, and what is ordered before it */
    RACE_ACQUIRE,    /* lanes of a warp see all that has been shown */
};

struct race_event {
    uint8_t kind;    /* enum race_event_kind */
    uint8_t barrier; /* its number */
    uint32_t warp;
    uint32_t mask; /* lanes; of a completion: number of the set of threads that waited */
    uint32_t full; /* of a sync: how many events there were after the last one of all lanes of the
                      warp, this one included; 0: there was none */
};

struct race_order {
    uint32_t warps;      /* of the block */
    uint32_t threads;    /* of the block */
    uint32_t last_lanes; /* of the last warp: those that there are */
    uint32_t words;      /* of a set: warps and 1 */
    struct race_event *events;
    uint32_t count, capacity;
    uint32_t *sets; /* [set_count][words] */
    uint32_t set_count, set_capacity;
    bool has_partial;
};

void race_order_init(struct race_order *order, uint32_t threads); /* of the block */
void race_order_release(struct race_order *order);
void race_order_clear(struct race_order *order); /* forgets events and sets */

/* Appends an event. Aborts without memory. */
void race_order_add(struct race_order *order, struct race_event event);

/* Keeps a set of threads; the result is its number. The second form looks for an equal one among
 * the last few. */
uint32_t race_order_append(struct race_order *order, const uint32_t *set);
uint32_t race_order_keep(struct race_order *order, const uint32_t *set);

static inline const uint32_t *race_order_set(const struct race_order *order, uint32_t number)
{
    return order->sets + (size_t)number * order->words;
}

/* True if the sets of threads ordered after some lanes of a warp are the same, by any number of
 * events from `from` on, except for these lanes themselves. */
bool race_order_is_common(const struct race_order *order, uint32_t from, uint32_t warp,
                          uint32_t lanes);

/* The lanes of a warp that there are. */
static inline uint32_t race_order_lanes(const struct race_order *order, uint32_t warp)
{
    return warp + 1 < order->warps ? UINT32_MAX : order->last_lanes;
}

/* Adds to `set` the threads that are ordered after any of it by the events [from, to). A set of all
 * threads gets 0 for its last word, since no event adds to it. The result is how many events were
 * looked at. */
uint32_t race_order_advance(const struct race_order *order, uint32_t from, uint32_t to,
                            uint32_t *set);

/* The same with all events from `from` on: at[warp] is after how many events all lanes of the warp
 * are in the set, 0 if they are in it at the beginning, RACE_NEVER if they never are. */
uint32_t race_order_reach(const struct race_order *order, uint32_t from, uint32_t *set,
                          uint16_t *at);

#endif
