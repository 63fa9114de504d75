/* race_cells.h: who accessed each word of shared memory in one interval.
 *
 *   heads[word] -> item -> item -> ...    one for each site, bytes, warp and place in the order
 *                                         (race_order.h); of writes also for each value
 *
 * An item stands for all its lanes. Accesses of the same lane at the same place are in it once, so
 * the cells stay small however often a loop goes round. A lane that writes several values gets an
 * item in which the bytes that differ are marked `multi`: any other thread that writes them writes
 * something different from one of the values.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_RACE_CELLS_H
#define GPUGRADE_DEVICE_EMULATED_RACE_RACE_CELLS_H

#include "device/emulated/race/race_order.h"
#include "device/emulated/race/race_shapes.h"

/* An interval with more items than this ends the launch as if its time were over. */
enum { RACE_ITEMS_MAX = 1 << 22 };

struct race_item {
    uint32_t next;  /* of the same word; 0: none */
    uint32_t site;  /* kernel_code.site_ops */
    uint32_t lanes; /* 0: left over, to be skipped */
    uint32_t event; /* how many events there were */
    uint32_t value; /* of a write, those of `bytes` that are not `multi`; else 0 */
    uint32_t start; /* 0, or 1 plus the number of the set of threads that were ordered after it when
                       the events were dropped */
    uint16_t warp;
    uint8_t role;  /* enum access_role */
    uint8_t bytes; /* a bit each */
    uint8_t multi; /* bytes */
    uint8_t unset; /* bytes that were read before anyone could have written them */
};

/* Who can have written a word: a bit for each warp, by its number modulo 32, and for each lane; the
 * same bits of the warps that accessed it, the latest event of its items, and how many these are.
 */
struct race_writers {
    uint32_t warps, lanes, accessors, latest, items;
};

struct race_cells {
    uint32_t *heads;              /* [words]; NULL until something is added */
    struct race_writers *writers; /* [words], of those with items; NULL as `heads` is */
    uint32_t words;
    struct race_item *items; /* [count]; [0] is not used */
    uint32_t count, capacity;
    uint32_t *touched; /* [touched_count] words with items */
    uint32_t touched_count;
    bool is_full;    /* items were left out */
    bool is_crowded; /* a word has had so many items that an access can be charged for */
    uint64_t work;   /* items looked at beyond the first few for each access, and beyond what the
                      events take for which they were kept */
};

void race_cells_release(struct race_cells *cells);
void race_cells_clear(struct race_cells *cells);

/* An access of the lanes of key->lanes to one word. Aborts without memory. The same again changes
 * nothing, unless it is a plain write, nor takes any work as long as no word is crowded. */
void race_cells_add(struct race_cells *cells, uint32_t word, const struct race_item *key);

/* Bytes of a word that the warp's lane has written so far. */
uint8_t race_cells_written_by(struct race_cells *cells, uint32_t word, uint32_t warp,
                              unsigned lane);

/* Marks the bytes that were written, as in race_log.written; true if that is anything new. */
bool race_cells_mark(const struct race_cells *cells, uint8_t *written);

/* True if the sets of threads ordered after the lanes of an item are the same, after any number of
 * events, except for these lanes themselves. */
bool race_item_is_common(const struct race_order *order, const struct race_item *item);

/* The first set of an item's lane: the threads that are ordered after it before any event. */
void race_item_start(const struct race_order *order, const struct race_item *item, unsigned lane,
                     uint32_t *out_set);

/* Forgets the events of `order`: each item keeps the set of threads that are ordered after it by
 * now, and counts from event 0 on. */
void race_cells_drop_events(struct race_cells *cells, struct race_order *order);

/* Writes to the bytes, as a bit for each, in which two words differ. */
static inline uint8_t race_differing_bytes(uint32_t a, uint32_t b)
{
    uint32_t differs = a ^ b;
    return (uint8_t)(((differs & 0xff) != 0) | ((differs & 0xff00) != 0) << 1 |
                     ((differs & 0xff0000) != 0) << 2 | ((differs & 0xff000000) != 0) << 3);
}

/* The bits of the bytes of a word. */
static inline uint32_t race_byte_bits(uint8_t bytes)
{
    return ((bytes & 1) != 0 ? UINT32_C(0xff) : 0) | ((bytes & 2) != 0 ? UINT32_C(0xff00) : 0) |
           ((bytes & 4) != 0 ? UINT32_C(0xff0000) : 0) |
           ((bytes & 8) != 0 ? UINT32_C(0xff000000) : 0);
}

/* A hash of a place in the order, for tables of places. */
static inline size_t race_place_hash(uint32_t start, uint32_t event, uint32_t warp, uint32_t lanes)
{
    uint64_t hash = ((uint64_t)event << 32 | start) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ ((uint64_t)warp << 32 | lanes)) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(hash >> 32);
}

static inline bool race_is_plain_write(uint8_t role)
{
    return (role & (ROLE_WRITES | ROLE_ATOMIC)) == ROLE_WRITES;
}

#endif
