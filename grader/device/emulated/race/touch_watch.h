/* touch_watch.h: which words of global memory do threads touch that nothing may order, of which one
 * writes?
 *
 * Where there is none, nothing races, and the order of the blocks does not matter. That is what
 * most launches are like, so global_races.h looks at the other words alone. Threads of one block
 * that have met at a barrier of the whole block are in order; so are atomics among themselves,
 * unless they are of block scope.
 *
 * Each worker has a watch of its own, which no other one uses while blocks run. Its blocks run one
 * after the other, or by turns, and a barrier or another block begins a new interval. The watch has
 * a state for each word of the pages that are touched, 1 byte for each byte:
 *
 *   state   0 untouched, else   interval 16 | enum touch_bits 6 | thread 10   of the last access
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_TOUCH_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_RACE_TOUCH_WATCH_H

#include "device/emulated/machine.h"
#include "device/stream_order.h"

enum { TOUCH_PAGE_WORDS = 1024, TOUCH_WORKERS_MAX = 8, TOUCH_INTERVAL_SHIFT = 16 };

enum touch_bits {
    TOUCH_THREAD = (1 << 10) - 1,
    TOUCH_SHARED = 1 << 10,  /* several threads have touched it in the interval */
    TOUCH_OTHERS = 1 << 11,  /* other blocks have touched it */
    TOUCH_ATOMIC = 1 << 12,  /* so far by atomics alone */
    TOUCH_WRITTEN = 1 << 13, /* in the interval */
    TOUCH_EARLIER = 1 << 14, /* written before the interval */
    TOUCH_MET = 1 << 15,     /* touched by two threads that may be without order; one wrote */
};

enum touch_kind { TOUCH_READ, TOUCH_WRITE, TOUCH_UPDATE };

struct touch_page {
    uint32_t states[TOUCH_PAGE_WORDS];
    uint32_t reads;    /* since it was last looked at whether it is read only */
    bool is_read_only; /* every word is, and by several blocks: reads change nothing */
    bool has_met;
    uint8_t *parts; /* [TOUCH_PAGE_WORDS] a bit for each byte that accesses of less than a word
                       touch; NULL: there were none; owned */
};

struct touch_watch {
    const struct window_memory *memory;
    struct touch_page ***pages; /* [memory->block_count][pages of the block]; NULL: untouched */
    uint64_t block;             /* linear, that ran last */
    uint32_t interval, first;   /* the one that runs, and the first one of the block */
    bool has_met;
};

/* Aborts without memory, as the calls below do. */
struct touch_watch *touch_watch_new(const struct window_memory *memory);
void touch_watch_free(struct touch_watch *watch); /* NULL is accepted */

/* A block begins or goes on; or its threads have met at a barrier. */
void touch_watch_enter(struct touch_watch *watch, uint64_t block);
void touch_watch_barrier(struct touch_watch *watch);

/* True if every word of a page is read only, by several blocks. */
bool touch_page_look(struct touch_page *page);

/* The page of a word of a block of memory. */
struct touch_page *touch_page_new(struct touch_watch *watch, const struct window_block *block,
                                  uint64_t word);

/* A thread touches [address, address + bytes) of a block of memory. */
void touch_access(struct touch_watch *watch, const struct window_block *block, uint64_t address,
                  uint32_t bytes, uint32_t now, enum touch_kind kind);

/* True if two threads have met at a word, of one watch or of two. The watches are spent. */
bool touch_watches_meet(struct touch_watch *const *watches, uint32_t count);

/* What all threads touch, by stream_order.h; an access with more than ORDER_RANGES_MAX ranges has
 * one more than that. The ranges are the caller's, freed with touch_ranges_free. */
void touch_watches_ranges(struct touch_watch *const *watches, uint32_t count,
                          struct order_bytes *out_bytes);
void touch_ranges_free(struct order_bytes *bytes);

/* True if a page that holds any of [address, address + bytes) of a block has a word where two
 * threads have met. */
bool touch_has_met(const struct touch_watch *watch, const struct window_block *block,
                   uint64_t address, uint64_t bytes);

/* What becomes of a state when a thread touches the word. `now` is the interval and the thread as
 * in a state, `first` the first interval of the block. */
static inline __attribute__((always_inline)) uint32_t
touch_state(uint32_t old, uint32_t now, uint32_t first, enum touch_kind kind)
{
    const uint32_t written = TOUCH_WRITTEN | TOUCH_EARLIER;
    const uint32_t write = kind == TOUCH_READ ? 0 : TOUCH_WRITTEN;
    const uint32_t atomic = kind == TOUCH_UPDATE ? old & TOUCH_ATOMIC : 0;
    const bool is_interval = (old ^ now) >> TOUCH_INTERVAL_SHIFT == 0;
    const bool is_own = (old ^ now) << 22 == 0 && (old & TOUCH_SHARED) == 0;
    const bool is_block = old >= first && (old & TOUCH_OTHERS) == 0;
    const bool is_written = (old & (is_interval && is_block ? TOUCH_WRITTEN : written)) != 0;
    const uint32_t meets = (kind == TOUCH_READ ? is_written : atomic == 0) ? TOUCH_MET : 0;
    const uint32_t earlier = (old & written) != 0 ? TOUCH_EARLIER : 0;
    const uint32_t others = kind == TOUCH_READ ? TOUCH_OTHERS | TOUCH_SHARED | earlier
                                               : now | TOUCH_OTHERS | TOUCH_SHARED | write;
    const uint32_t in_interval = (old & ~(uint32_t)TOUCH_ATOMIC) | write | atomic;
    const uint32_t in_block = is_interval
                                  ? (is_own ? in_interval : in_interval | TOUCH_SHARED | meets)
                                  : now | write | atomic | earlier;
    const uint32_t fresh = now | write | (kind == TOUCH_UPDATE ? TOUCH_ATOMIC : 0);
    const uint32_t next = is_block ? in_block : others | atomic | meets;
    return old == 0 ? fresh : next | (old & TOUCH_MET);
}

/* The interval and the thread of a lane, as in a state. */
static inline uint32_t touch_now(const struct touch_watch *watch, const struct warp *warp,
                                 unsigned lane)
{
    return watch->interval << TOUCH_INTERVAL_SHIFT | (warp->index * LANES + lane);
}

/* What an access does; atomic loads and stores count as updates. */
static inline enum touch_kind touch_kind_of(const struct kernel_code *code, const struct op *op,
                                            bool writes)
{
    bool is_atomic = op->is_ordered && (code->accesses[op->access_index].role & ROLE_ATOMIC) != 0 &&
                     op_source(code, op)->memory_scope != PTX_MEMORY_SCOPE_CTA;
    return is_atomic ? TOUCH_UPDATE : writes ? TOUCH_WRITE : TOUCH_READ;
}

/* True if two threads have met at a word. */
static inline bool touch_word_has_met(const struct touch_watch *watch,
                                      const struct window_block *block, uint64_t word)
{
    struct touch_page *const *pages = watch->pages[block - watch->memory->blocks];
    const struct touch_page *page = pages == NULL ? NULL : pages[word / TOUCH_PAGE_WORDS];
    return page != NULL && (page->states[word % TOUCH_PAGE_WORDS] & TOUCH_MET) != 0;
}

static inline struct touch_page *touch_page(struct touch_watch *watch,
                                            const struct window_block *block, uint64_t word)
{
    struct touch_page **pages = watch->pages[block - watch->memory->blocks];
    struct touch_page *page = pages == NULL ? NULL : pages[word / TOUCH_PAGE_WORDS];
    return page != NULL ? page : touch_page_new(watch, block, word);
}

/* True if nothing comes of a read of [address, address + bytes) of a block, which lies in one page
 * that others read, too. */
static inline bool touch_is_read_only(struct touch_watch *watch, const struct window_block *block,
                                      uint64_t address, uint64_t bytes)
{
    uint64_t word = (address - block->start) / 4;
    uint64_t last = (address - block->start + bytes - 1) / 4;
    struct touch_page *page = touch_page(watch, block, word);
    return word / TOUCH_PAGE_WORDS == last / TOUCH_PAGE_WORDS &&
           (page->is_read_only || (++page->reads % 64 == 0 && touch_page_look(page)));
}

static inline void touch_note(struct touch_watch *watch, struct touch_page *page, uint32_t states,
                              enum touch_kind kind)
{
    if (kind != TOUCH_READ) {
        page->is_read_only = false;
    }
    if ((states & TOUCH_MET) != 0) {
        page->has_met = true;
        watch->has_met = true;
    }
}

static inline void touch_word(struct touch_watch *watch, struct touch_page *page, uint64_t word,
                              uint32_t now, enum touch_kind kind)
{
    uint32_t *state = &page->states[word % TOUCH_PAGE_WORDS];
    *state = touch_state(*state, now, watch->first << TOUCH_INTERVAL_SHIFT, kind);
    touch_note(watch, page, *state, kind);
}

/* Eight threads in a row touch a word each, next to each other in a page. */
static inline __attribute__((always_inline)) void touch_eight(struct touch_watch *watch,
                                                              struct touch_page *page,
                                                              uint64_t word, uint32_t now,
                                                              enum touch_kind kind)
{
    const uint32_t first = watch->first << TOUCH_INTERVAL_SHIFT;
    uint32_t *states = &page->states[word % TOUCH_PAGE_WORDS];
    uint32_t all = 0;
    for (uint32_t i = 0; i < 8; i++) {
        states[i] = touch_state(states[i], now + i, first, kind);
        all |= states[i];
    }
    touch_note(watch, page, all, kind);
}

#endif
