/* touch_watch.c: see touch_watch.h. */
#include "device/emulated/race/touch_watch.h"

#include <stdlib.h>

static size_t page_count(const struct window_block *block)
{
    return (size_t)((block->end - block->start + 3) / 4 / TOUCH_PAGE_WORDS + 1);
}

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

struct touch_watch *touch_watch_new(const struct window_memory *memory)
{
    struct touch_watch *watch = allocate(1, sizeof *watch);
    watch->memory = memory;
    watch->block = UINT64_MAX;
    watch->pages = allocate(memory->block_count + 1, sizeof *watch->pages);
    return watch;
}

void touch_watch_free(struct touch_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        size_t count = page_count(&watch->memory->blocks[i]);
        for (size_t k = 0; watch->pages[i] != NULL && k < count; k++) {
            if (watch->pages[i][k] != NULL) {
                free(watch->pages[i][k]->parts);
            }
            free(watch->pages[i][k]);
        }
        free(watch->pages[i]);
    }
    free(watch->pages);
    free(watch);
}

/* Numbers the intervals anew: what has been touched so far was so by other blocks. */
static void forget_intervals(struct touch_watch *watch)
{
    for (size_t i = 0; i < watch->memory->block_count; i++) {
        size_t count = watch->pages[i] == NULL ? 0 : page_count(&watch->memory->blocks[i]);
        for (size_t k = 0; k < count; k++) {
            struct touch_page *page = watch->pages[i][k];
            for (size_t w = 0; page != NULL && w < TOUCH_PAGE_WORDS; w++) {
                uint32_t state = page->states[w];
                page->states[w] =
                    state == 0
                        ? 0
                        : (state & (TOUCH_MET | TOUCH_ATOMIC | TOUCH_WRITTEN | TOUCH_EARLIER)) |
                              TOUCH_OTHERS | TOUCH_SHARED;
            }
        }
    }
    watch->interval = 0;
    watch->first = 1;
}

void touch_watch_barrier(struct touch_watch *watch)
{
    if (watch->interval + 1 == 1 << TOUCH_INTERVAL_SHIFT) {
        forget_intervals(watch);
    }
    watch->interval++;
}

void touch_watch_enter(struct touch_watch *watch, uint64_t block)
{
    if (watch->block != block) {
        touch_watch_barrier(watch);
        watch->block = block;
        watch->first = watch->interval;
    }
}

bool touch_page_look(struct touch_page *page)
{
    uint32_t differs = 0;
    for (size_t i = 0; i < TOUCH_PAGE_WORDS; i++) {
        differs |= page->states[i] ^ (TOUCH_OTHERS | TOUCH_SHARED);
    }
    page->is_read_only = differs == 0;
    return page->is_read_only;
}

struct touch_page *touch_page_new(struct touch_watch *watch, const struct window_block *block,
                                  uint64_t word)
{
    struct touch_page ***pages = &watch->pages[block - watch->memory->blocks];
    if (*pages == NULL) {
        *pages = allocate(page_count(block), sizeof **pages);
    }
    struct touch_page **page = &(*pages)[word / TOUCH_PAGE_WORDS];
    if (*page == NULL) {
        *page = allocate(1, sizeof **page);
    }
    return *page;
}

/* Notes which bytes of a word an access of less than a word touches. */
static void note_part(struct touch_page *page, uint64_t word, uint64_t address, uint32_t bytes)
{
    if (page->parts == NULL) {
        page->parts = allocate(TOUCH_PAGE_WORDS, sizeof *page->parts);
    }
    page->parts[word % TOUCH_PAGE_WORDS] |= (uint8_t)(((1u << bytes) - 1) << address % 4);
}

void touch_access(struct touch_watch *watch, const struct window_block *block, uint64_t address,
                  uint32_t bytes, uint32_t now, enum touch_kind kind)
{
    uint64_t first = (address - block->start) / 4;
    uint64_t last = (address - block->start + bytes - 1) / 4;
    if (bytes < 4 && first == last) {
        note_part(touch_page(watch, block, first), first, address - block->start, bytes);
    }
    for (uint64_t word = first; word <= last; word++) {
        touch_word(watch, touch_page(watch, block, word), word, now, kind);
    }
}

/* Adds to the states of a page what another worker's threads have done there; true if two have met.
 */
static bool pages_meet(struct touch_page *page, const struct touch_page *other)
{
    bool meets = false;
    for (size_t i = 0; i < TOUCH_PAGE_WORDS; i++) {
        uint32_t a = page->states[i];
        uint32_t b = other->states[i];
        bool is_written = ((a | b) & (TOUCH_WRITTEN | TOUCH_EARLIER)) != 0;
        bool is_atomic = (a & b & TOUCH_ATOMIC) != 0;
        meets = meets || (a != 0 && b != 0 && is_written && !is_atomic);
        page->states[i] = a | b;
    }
    return meets;
}

/* True if two workers have met in a block of memory. */
static bool meet_in_block(struct touch_watch *const *watches, uint32_t count, size_t block)
{
    size_t pages = page_count(&watches[0]->memory->blocks[block]);
    uint32_t touching = 0;
    for (uint32_t w = 0; w < count; w++) {
        touching += watches[w]->pages[block] != NULL ? 1 : 0;
    }
    for (size_t k = 0; touching > 1 && k < pages; k++) {
        struct touch_page *first = NULL;
        for (uint32_t w = 0; w < count; w++) {
            struct touch_page **own = watches[w]->pages[block];
            struct touch_page *page = own == NULL ? NULL : own[k];
            if (first != NULL && page != NULL && pages_meet(first, page)) {
                return true;
            }
            first = first == NULL ? page : first;
        }
    }
    return false;
}

bool touch_watches_meet(struct touch_watch *const *watches, uint32_t count)
{
    for (uint32_t w = 0; w < count; w++) {
        if (watches[w]->has_met) {
            return true;
        }
    }
    for (size_t i = 0; i < watches[0]->memory->block_count; i++) {
        if (meet_in_block(watches, count, i)) {
            return true;
        }
    }
    return false;
}

/* What all workers do to a word; ORDER_ACCESSES: nothing. */
static enum order_access word_access(struct touch_page *const *pages, uint32_t count, size_t word)
{
    uint32_t all = 0;
    bool is_atomic = true;
    for (uint32_t w = 0; w < count; w++) {
        const uint32_t state = pages[w] == NULL ? 0 : pages[w]->states[word];
        is_atomic = is_atomic && (state == 0 || (state & TOUCH_ATOMIC) != 0);
        all |= state;
    }
    return all == 0                     ? ORDER_ACCESSES
           : (all & TOUCH_WRITTEN) == 0 ? ORDER_READ
           : is_atomic                  ? ORDER_UPDATE
                                        : ORDER_WRITE;
}

struct range_list {
    struct order_range *items;
    size_t count, capacity;
};

static void add_word(struct range_list *list, uint64_t start, uint64_t end)
{
    if (list->count > 0 && list->items[list->count - 1].end == start) {
        list->items[list->count - 1].end = end;
        return;
    }
    if (list->count > ORDER_RANGES_MAX) {
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        list->items = reallocarray(list->items, list->capacity, sizeof *list->items);
        if (list->items == NULL) {
            abort();
        }
    }
    list->items[list->count++] = (struct order_range){start, end};
}

/* Adds the bytes of a word that are touched: all, but where only smaller accesses are known. */
static void add_bytes(struct range_list *list, struct touch_page *const *pages, uint32_t count,
                      size_t word, struct order_range range)
{
    unsigned parts = 0;
    for (uint32_t w = 0; w < count; w++) {
        parts |= pages[w] == NULL || pages[w]->parts == NULL ? 0 : pages[w]->parts[word];
    }
    if (parts == 0) {
        add_word(list, range.start, range.end);
    }
    for (unsigned i = 0; i < 4; i++) {
        if ((parts & 1u << i) != 0) {
            add_word(list, range.start + i, range.start + i + 1);
        }
    }
}

void touch_watches_ranges(struct touch_watch *const *watches, uint32_t count,
                          struct order_bytes *out_bytes)
{
    const struct window_memory *memory = watches[0]->memory;
    struct range_list lists[ORDER_ACCESSES] = {{NULL, 0, 0}};
    for (size_t i = 0; i < memory->block_count; i++) {
        const struct window_block *block = &memory->blocks[i];
        size_t page_total = page_count(block);
        for (size_t k = 0; k < page_total; k++) {
            struct touch_page *pages[TOUCH_WORKERS_MAX] = {NULL};
            bool is_touched = false;
            for (uint32_t w = 0; w < count; w++) {
                struct touch_page **own = watches[w]->pages[i];
                pages[w] = own == NULL ? NULL : own[k];
                is_touched = is_touched || pages[w] != NULL;
            }
            uint64_t start = block->start + k * TOUCH_PAGE_WORDS * 4;
            for (size_t word = 0; is_touched && word < TOUCH_PAGE_WORDS; word++, start += 4) {
                enum order_access access = word_access(pages, count, word);
                if (access != ORDER_ACCESSES) {
                    const struct order_range range = {start, start + 4 < block->end ? start + 4
                                                                                    : block->end};
                    add_bytes(&lists[access], pages, count, word, range);
                }
            }
        }
    }
    for (size_t access = 0; access < ORDER_ACCESSES; access++) {
        out_bytes->ranges[access] = lists[access].items;
        out_bytes->counts[access] = lists[access].count;
    }
}

void touch_ranges_free(struct order_bytes *bytes)
{
    for (size_t access = 0; access < ORDER_ACCESSES; access++) {
        free((void *)(uintptr_t)bytes->ranges[access]);
    }
    *bytes = (struct order_bytes){{NULL}, {0}};
}

bool touch_has_met(const struct touch_watch *watch, const struct window_block *block,
                   uint64_t address, uint64_t bytes)
{
    struct touch_page *const *pages = watch->pages[block - watch->memory->blocks];
    uint64_t first = (address - block->start) / 4 / TOUCH_PAGE_WORDS;
    uint64_t last = (address - block->start + bytes - 1) / 4 / TOUCH_PAGE_WORDS;
    for (uint64_t page = first; pages != NULL && page <= last; page++) {
        if (pages[page] != NULL && pages[page]->has_met) {
            return true;
        }
    }
    return false;
}
