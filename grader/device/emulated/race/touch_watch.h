/* touch_watch.h: which words of global memory do two threads touch, of which one writes?
 *
 * Where there is none, nothing races, and the order of the blocks does not matter. That is what
 * most launches are like, so global_races.h looks at the other words alone. Atomics do not count as
 * touching each other, unless they are of block scope.
 *
 * Each worker has a watch of its own, which no other one uses while blocks run. It has a state for
 * each word of the pages that its blocks touch, 1 byte for each byte:
 *
 *   state   0: untouched, else bits of enum touch_bits and, without TOUCH_SHARED, the number of the
 *           only thread that has touched it: block * threads + thread + 1
 */
#ifndef GPUGRADE_DEVICE_EMULATED_RACE_TOUCH_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_RACE_TOUCH_WATCH_H

#include "device/emulated/machine.h"

enum { TOUCH_PAGE_WORDS = 1024, TOUCH_WORKERS_MAX = 8 };

enum touch_bits {
    TOUCH_NUMBER = (1 << 28) - 1,
    TOUCH_SHARED = 1 << 28, /* several threads have touched it */
    TOUCH_ATOMIC = 1 << 29, /* by atomics alone */
    TOUCH_WRITTEN = 1 << 30,
};
#define TOUCH_MET (UINT32_C(1) << 31) /* two threads have, and one of them wrote */

enum touch_kind { TOUCH_READ = 0, TOUCH_WRITE = TOUCH_WRITTEN, TOUCH_UPDATE = TOUCH_ATOMIC };

struct touch_page {
    uint32_t states[TOUCH_PAGE_WORDS];
    bool has_met;
};

struct touch_watch {
    const struct window_memory *memory;
    struct touch_page ***pages; /* [memory->block_count][pages of the block]; NULL: untouched */
    bool has_met;
};

/* True if the threads of a launch can be numbered. */
static inline bool touch_watch_fits(const struct launch *launch)
{
    return launch->blocks <= TOUCH_NUMBER / launch->threads;
}

/* Aborts without memory, as the calls below do. */
struct touch_watch *touch_watch_new(const struct window_memory *memory);
void touch_watch_free(struct touch_watch *watch); /* NULL is accepted */

/* The page of a word of a block of memory. */
struct touch_page *touch_page_new(struct touch_watch *watch, const struct window_block *block,
                                  uint64_t word);

/* A thread touches [address, address + bytes) of a block of memory. */
void touch_access(struct touch_watch *watch, const struct window_block *block, uint64_t address,
                  uint32_t bytes, uint32_t number, enum touch_kind kind);

/* True if two threads have met at a word, of one watch or of two. The watches are spent. */
bool touch_watches_meet(struct touch_watch *const *watches, uint32_t count);

/* True if a page that holds any of [address, address + bytes) of a block has a word where two
 * threads have met. */
bool touch_has_met(const struct touch_watch *watch, const struct window_block *block,
                   uint64_t address, uint64_t bytes);

/* What becomes of a state when a thread touches the word. */
static inline uint32_t touch_state(uint32_t old, uint32_t number, enum touch_kind kind)
{
    const uint32_t others = TOUCH_MET | TOUCH_SHARED | TOUCH_NUMBER;
    const uint32_t own = kind == TOUCH_UPDATE ? old | TOUCH_WRITTEN
                                              : (old & ~(uint32_t)TOUCH_ATOMIC) | (uint32_t)kind;
    const uint32_t shared = (old & ~(uint32_t)TOUCH_NUMBER) | TOUCH_SHARED;
    const bool is_atomic = (old & TOUCH_ATOMIC) != 0;
    const bool meets = kind == TOUCH_READ     ? (old & TOUCH_WRITTEN) != 0
                       : kind == TOUCH_UPDATE ? !is_atomic
                                              : true;
    if (old == 0) {
        return number | (uint32_t)kind | (kind == TOUCH_UPDATE ? TOUCH_WRITTEN : 0);
    }
    return (old & others) == number ? own : meets ? shared | TOUCH_MET : shared;
}

/* The number of a lane. */
static inline uint32_t touch_number(const struct warp *warp, unsigned lane)
{
    const struct block *block = warp->block;
    return (uint32_t)(block->linear * block->launch->threads) + warp->index * LANES + lane + 1;
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

static inline void touch_word(struct touch_watch *watch, struct touch_page *page, uint64_t word,
                              uint32_t number, enum touch_kind kind)
{
    uint32_t *state = &page->states[word % TOUCH_PAGE_WORDS];
    uint32_t now = touch_state(*state, number, kind);
    *state = now;
    if ((now & TOUCH_MET) != 0) {
        page->has_met = true;
        watch->has_met = true;
    }
}

/* Eight threads with ascending numbers touch a word each, next to each other in a page. */
static inline __attribute__((always_inline)) void touch_eight(struct touch_watch *watch,
                                                              struct touch_page *page,
                                                              uint64_t word, uint32_t number,
                                                              enum touch_kind kind)
{
    uint32_t *states = &page->states[word % TOUCH_PAGE_WORDS];
    uint32_t all = 0;
    for (uint32_t i = 0; i < 8; i++) {
        states[i] = touch_state(states[i], number + i, kind);
        all |= states[i];
    }
    if ((all & TOUCH_MET) != 0) {
        page->has_met = true;
        watch->has_met = true;
    }
}

#endif
