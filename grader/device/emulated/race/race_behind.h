/* race_behind.h: which threads are ordered after an access, computed once and remembered.
 *
 * The judge asks for the same few places in the order again and again: for each word, and with
 * later and later events. Both tables are caches that drop entries that collide, so their size is
 * bounded. They begin small, as most intervals have few places, and grow when much collides. Each
 * pass begins with the small ones again, so that its work does not depend on what was judged
 * before.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_BEHIND_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_BEHIND_H

#include "device/emulated/race/race_cells.h"

struct race_behind {
    const struct race_order *order; /* since race_behind_begin */
    uint64_t pass;                  /* counts the calls of race_behind_begin */
    uint64_t work;       /* events looked at, beyond the first few for each set, since it began */
    uint32_t *set;       /* scratch */
    uint16_t *at;        /* scratch */
    uint32_t slots;      /* of each table in this pass; a power of two */
    uint32_t collisions; /* since the tables grew */
    uint32_t room;       /* slots that there is memory for; 0: no tables yet */
    struct race_place *places;  /* [room] of the sets */
    uint32_t *sets;             /* [room][words of a set] */
    struct race_place *reaches; /* [room] */
    uint16_t *reached;          /* [room][warps] */
};

/* Aborts without memory. */
void race_behind_init(struct race_behind *behind, uint32_t warps);
void race_behind_release(struct race_behind *behind);

/* Forgets everything: from now on events and sets are those of `order`. */
void race_behind_begin(struct race_behind *behind, const struct race_order *order);

/* The threads that are ordered after a lane of an item, before event `to`; valid until the next
 * call. */
const uint32_t *race_behind_set(struct race_behind *behind, const struct race_item *item,
                                unsigned lane, uint32_t to);

/* After how many events all lanes of `warp` are ordered after all of `lanes` at the place of an
 * item, its own or others of its warp; RACE_NEVER if they never are. */
uint16_t race_behind_reach(struct race_behind *behind, const struct race_item *item, uint32_t lanes,
                           uint32_t warp);

/* As race_item_is_common() has it. */
bool race_behind_is_common(struct race_behind *behind, const struct race_item *item);

#endif
