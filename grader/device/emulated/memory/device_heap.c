/* device_heap.c: see device_heap.h. */
#include "device/emulated/memory/device_heap.h"

#include <stdlib.h>
#include <string.h>

/* Of the granule where an allocation begins. */
struct heap_head {
    uint32_t granules; /* 0: none begins here */
    uint32_t span;     /* with the gap */
    bool is_living;
};

/* What changes while kernels run. */
struct heap_books {
    uint32_t *distance; /* [granules] to the head, plus 1; 0: never covered */
    struct heap_head *heads;
    uint64_t *bytes; /* [granules] asked for, at heads */
    uint32_t cursor; /* where the search for room begins */
    uint32_t used;   /* granules that were ever covered: [0, used) */
    uint64_t living_bytes;
};

struct device_heap {
    struct window_memory *memory;
    uint64_t start; /* device address; 0: not open */
    uint64_t limit_bytes;
    uint32_t granules;
    struct heap_books books;
    struct heap_books saved;
    bool has_saved;
};

static bool books_new(struct heap_books *books, uint32_t granules)
{
    *books = (struct heap_books){
        .distance = calloc(granules, sizeof *books->distance),
        .heads = calloc(granules, sizeof *books->heads),
        .bytes = calloc(granules, sizeof *books->bytes),
    };
    return books->distance != NULL && books->heads != NULL && books->bytes != NULL;
}

static void books_free(struct heap_books *books)
{
    free(books->distance);
    free(books->heads);
    free(books->bytes);
    *books = (struct heap_books){0};
}

/* Makes `to` equal to `from`; both have the same size. */
static void books_copy(struct heap_books *to, const struct heap_books *from)
{
    size_t used = from->used > to->used ? from->used : to->used;
    memcpy(to->distance, from->distance, used * sizeof *to->distance);
    memcpy(to->heads, from->heads, used * sizeof *to->heads);
    memcpy(to->bytes, from->bytes, used * sizeof *to->bytes);
    to->cursor = from->cursor;
    to->used = from->used;
    to->living_bytes = from->living_bytes;
}

struct device_heap *device_heap_new(struct window_memory *memory)
{
    struct device_heap *heap = calloc(1, sizeof *heap);
    if (heap == NULL) {
        abort();
    }
    heap->memory = memory;
    return heap;
}

void device_heap_free_all(struct device_heap *heap)
{
    if (heap != NULL) {
        books_free(&heap->books);
        books_free(&heap->saved);
        free(heap);
    }
}

bool device_heap_open(struct device_heap *heap, uint64_t limit_bytes)
{
    struct diagnostic diagnostic = {.message = ""};
    if (heap->start != 0) {
        return true;
    }
    if (limit_bytes > UINT32_MAX / 4 * (uint64_t)HEAP_GRANULE) {
        return false;
    }
    uint64_t bytes = (limit_bytes + HEAP_GRANULE) / HEAP_GRANULE * HEAP_GRANULE * 2;
    uint32_t granules = (uint32_t)(bytes / HEAP_GRANULE);
    uint64_t start;
    if (window_allocate(heap->memory, bytes, false, false, &start, &diagnostic) != ERROR_NONE) {
        return false;
    }
    if (!books_new(&heap->books, granules)) {
        books_free(&heap->books);
        window_free(heap->memory, start);
        return false;
    }
    heap->start = start;
    struct window_block *block = window_find(heap->memory, heap->start);
    written_map_free(block->written); /* what malloc gave is not looked at */
    block->written = NULL;
    block->is_heap = true;
    heap->granules = granules;
    heap->limit_bytes = limit_bytes;
    return true;
}

/* The head of the allocation that covers a granule; NULL if none does. */
static const struct heap_head *head_of(const struct heap_books *books, uint32_t granule,
                                       uint32_t *out_first)
{
    if (books->distance[granule] == 0) {
        return NULL;
    }
    uint32_t first = granule - (books->distance[granule] - 1);
    const struct heap_head *head = &books->heads[first];
    /* a freed allocation may have been covered in part by a newer one */
    if (granule - first >= head->granules) {
        return NULL;
    }
    *out_first = first;
    return head;
}

/* The first granule of `needed` free ones in [from, to); `to` if there are none. */
static uint32_t find_room(const struct heap_books *books, uint32_t from, uint32_t to,
                          uint32_t needed)
{
    uint32_t first = from;
    while (needed <= to - first) {
        uint32_t taken = first;
        uint32_t start = 0;
        const struct heap_head *head = NULL;
        while (taken < first + needed) {
            head = head_of(books, taken, &start);
            if (head != NULL && head->is_living) {
                break;
            }
            taken++;
        }
        if (taken == first + needed) {
            return first;
        }
        first = start + head->span;
        if (first > to) {
            break;
        }
    }
    return to;
}

uint64_t device_heap_allocate(struct device_heap *heap, uint64_t bytes)
{
    struct heap_books *books = &heap->books;
    if (heap->start == 0 || bytes == 0 || bytes > heap->limit_bytes) {
        return 0;
    }
    uint32_t granules = (uint32_t)((bytes + HEAP_GRANULE - 1) / HEAP_GRANULE);
    uint32_t most = HEAP_GAP_MAX / HEAP_GRANULE;
    uint32_t needed = granules + (granules < most ? granules : most);
    uint64_t taken = (uint64_t)granules * HEAP_GRANULE;
    if (taken > heap->limit_bytes - books->living_bytes) {
        return 0;
    }
    uint32_t first = find_room(books, books->cursor, heap->granules, needed);
    if (first == heap->granules) {
        first = find_room(books, 0, heap->granules, needed);
    }
    if (first == heap->granules) {
        return 0;
    }
    for (uint32_t i = 0; i < needed; i++) {
        books->distance[first + i] = i < granules ? i + 1 : 0;
        books->heads[first + i] = (struct heap_head){0};
    }
    books->heads[first] = (struct heap_head){granules, needed, true};
    books->bytes[first] = bytes;
    books->cursor = first + needed;
    books->used = books->cursor > books->used ? books->cursor : books->used;
    books->living_bytes += taken;
    uint64_t address = heap->start + (uint64_t)first * HEAP_GRANULE;
    window_before_write(window_find(heap->memory, address), address, taken);
    window_poison(window_host(heap->memory, address), taken);
    return address;
}

bool device_heap_free(struct device_heap *heap, uint64_t address)
{
    uint64_t offset = address - heap->start;
    uint64_t granule = offset / HEAP_GRANULE;
    if (heap->start == 0 || offset % HEAP_GRANULE != 0 || granule >= heap->granules) {
        return false;
    }
    struct heap_head *head = &heap->books.heads[granule];
    if (!head->is_living) {
        return false;
    }
    head->is_living = false;
    heap->books.living_bytes -= (uint64_t)head->granules * HEAP_GRANULE;
    return true;
}

enum heap_place device_heap_find(const struct device_heap *heap, uint64_t address,
                                 struct window_range *out_range)
{
    uint32_t granule = (uint32_t)((address - heap->start) / HEAP_GRANULE);
    uint32_t first = 0;
    const struct heap_head *head = head_of(&heap->books, granule, &first);
    bool is_inside = head != NULL;
    for (uint32_t back = granule; head == NULL && back > 0;) {
        head = head_of(&heap->books, --back, &first);
    }
    if (head == NULL) {
        *out_range = (struct window_range){heap->start, heap->start};
        return HEAP_NOWHERE;
    }
    uint64_t start = heap->start + (uint64_t)first * HEAP_GRANULE;
    *out_range = (struct window_range){start, start + heap->books.bytes[first]};
    if (!is_inside || address >= out_range->end) {
        return HEAP_NOWHERE;
    }
    return head->is_living ? HEAP_LIVING : HEAP_FREED;
}

bool device_heap_snapshot(struct device_heap *heap)
{
    device_heap_discard(heap);
    if (heap->start != 0 && !books_new(&heap->saved, heap->granules)) {
        books_free(&heap->saved);
        return false;
    }
    if (heap->start != 0) {
        books_copy(&heap->saved, &heap->books);
    }
    heap->has_saved = true;
    return true;
}

void device_heap_restore(struct device_heap *heap)
{
    if (heap->start == 0 || !heap->has_saved) {
        return;
    }
    if (heap->saved.distance == NULL) {
        device_heap_reset(heap); /* it was opened since */
        return;
    }
    books_copy(&heap->books, &heap->saved);
}

void device_heap_discard(struct device_heap *heap)
{
    books_free(&heap->saved);
    heap->has_saved = false;
}

void device_heap_reset(struct device_heap *heap)
{
    if (heap->start != 0) {
        struct heap_books *books = &heap->books;
        memset(books->distance, 0, books->used * sizeof *books->distance);
        memset(books->heads, 0, books->used * sizeof *books->heads);
        books->cursor = 0;
        books->used = 0;
        books->living_bytes = 0;
    }
}
