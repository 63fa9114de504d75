/* window_memory.c: see window_memory.h. */
#include "device/emulated/memory/window_memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Freed ranges that are remembered: a use of others is told as one out of bounds. */
enum { LARGE_BLOCK_BYTES = 4 << 20, FREED_MAX = 1 << 14 };

static const uint64_t window_end = DEVICE_WINDOW_START + DEVICE_WINDOW_BYTES;

enum error window_memory_init(struct window_memory *memory, uint64_t limit_bytes,
                              struct diagnostic *diagnostic)
{
    *memory = (struct window_memory){.limit_bytes = limit_bytes};
    void *host = mmap(NULL, DEVICE_WINDOW_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot reserve %" PRIu64 " GiB of address space for the emulated device; "
                       "raise the limit on virtual memory (ulimit -v)",
                       (uint64_t)DEVICE_WINDOW_BYTES >> 30);
        return ERROR_ENVIRONMENT;
    }
    memory->host = host;
    memory->next = DEVICE_WINDOW_START + WINDOW_LARGE_GAP_BYTES;
    return ERROR_NONE;
}

void window_memory_release(struct window_memory *memory)
{
    if (memory == NULL || memory->host == NULL) {
        return;
    }
    window_discard(memory);
    for (size_t i = 0; i < memory->block_count; i++) {
        written_map_free(memory->blocks[i].written);
    }
    munmap(memory->host, DEVICE_WINDOW_BYTES);
    free(memory->blocks);
    free(memory->freed);
    *memory = (struct window_memory){0};
}

/* The gap behind the next block, of `bytes`. */
static uint64_t gap_of(const struct window_memory *memory, uint64_t bytes)
{
    if (memory->made >= WINDOW_LARGE_GAPS) {
        return WINDOW_GAP_BYTES;
    }
    return bytes < WINDOW_LARGE_GAP_BYTES ? WINDOW_LARGE_GAP_BYTES : bytes;
}

/* Index of the first block that starts above `address`. */
static size_t block_above(const struct window_memory *memory, uint64_t address)
{
    size_t low = 0;
    size_t high = memory->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->blocks[middle].start > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static size_t freed_above(const struct window_memory *memory, uint64_t address)
{
    size_t low = 0;
    size_t high = memory->freed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->freed[middle].start > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static uint64_t align_up(uint64_t value)
{
    return (value + WINDOW_ALIGNMENT - 1) / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT;
}

/* Finds room for `bytes` and a gap behind them: above everything, else, when the window is full,
 * the lowest hole between living blocks; 0 if there is none. */
static uint64_t find_room(const struct window_memory *memory, uint64_t bytes)
{
    uint64_t room = memory->next < window_end ? window_end - memory->next : 0;
    if (bytes <= room && gap_of(memory, bytes) <= room - bytes) {
        return memory->next;
    }
    uint64_t candidate = DEVICE_WINDOW_START + WINDOW_GAP_BYTES;
    for (size_t i = 0; i < memory->block_count; i++) {
        if (candidate < memory->blocks[i].start &&
            bytes + WINDOW_GAP_BYTES <= memory->blocks[i].start - candidate) {
            return candidate;
        }
        candidate = align_up(memory->blocks[i].end + WINDOW_GAP_BYTES);
    }
    bool fits = candidate < window_end && bytes + WINDOW_GAP_BYTES <= window_end - candidate;
    return fits ? candidate : 0;
}

/* Forgets freed ranges that overlap a block made in their place. */
static void forget_freed(struct window_memory *memory, uint64_t start, uint64_t end)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->freed_count; i++) {
        if (memory->freed[i].end <= start || memory->freed[i].start >= end) {
            memory->freed[kept++] = memory->freed[i];
        }
    }
    memory->freed_count = kept;
}

/* Makes room for one more element in a sorted array at `index`; false without memory. */
static bool insert_element(void **items, size_t *count, size_t *capacity, size_t index,
                           size_t element_bytes)
{
    if (*count == *capacity) {
        size_t grown = *capacity == 0 ? 64 : *capacity * 2;
        void *moved = reallocarray(*items, grown, element_bytes);
        if (moved == NULL) {
            return false;
        }
        *items = moved;
        *capacity = grown;
    }
    char *at = (char *)*items + index * element_bytes;
    memmove(at + element_bytes, at, (*count - index) * element_bytes);
    (*count)++;
    return true;
}

void window_fill(uint8_t *host, uint64_t length, uint32_t pattern, size_t pattern_bytes)
{
    uint64_t word = pattern;
    uint64_t i = 0;
    for (size_t bits = pattern_bytes * 8; bits < 64; bits *= 2) {
        word = (word & ((UINT64_C(1) << bits) - 1)) * ((UINT64_C(1) << bits) + 1);
    }
    for (; i + sizeof word <= length; i += sizeof word) {
        memcpy(host + i, &word, sizeof word);
    }
    memcpy(host + i, &word, length - i);
}

void window_poison(uint8_t *host, uint64_t length)
{
    if (length > 0) {
        window_fill(host, length, POISON_HALF, sizeof(uint16_t));
    }
}

/* Makes the pages of a range accessible and fills it with poison. */
static bool open_pages(struct window_memory *memory, uint64_t start, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t first = (start - DEVICE_WINDOW_START) / page * page;
    uint64_t last = (start - DEVICE_WINDOW_START + bytes + page - 1) / page * page;
    if (mprotect(memory->host + first, last - first, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    if (bytes >= LARGE_BLOCK_BYTES) { /* fewer faults; no harm where it is refused */
        madvise(memory->host + first, last - first, MADV_HUGEPAGE);
    }
    window_poison(window_host(memory, start), bytes);
    return true;
}

static enum error check_limit(const struct window_memory *memory, uint64_t bytes,
                              struct diagnostic *diagnostic)
{
    uint64_t left = memory->limit_bytes - memory->living_bytes;
    if (bytes > left) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "%" PRIu64 " bytes of device memory were requested, but only %" PRIu64
                       " of %" PRIu64 " are left; free some or use smaller arrays",
                       bytes, left, memory->limit_bytes);
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

/* Makes a block, poisoned, where there is room for it; a start of 0 is none. */
static enum error make_block(struct window_memory *memory, struct window_block block,
                             struct diagnostic *diagnostic)
{
    uint64_t bytes = block.end - block.start;
    if (block.start == 0 || !open_pages(memory, block.start, bytes)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "no room for %" PRIu64 " more bytes of device memory on this machine",
                       bytes);
        return ERROR_LIMIT;
    }
    size_t index = block_above(memory, block.start);
    if (!insert_element((void **)&memory->blocks, &memory->block_count, &memory->block_capacity,
                        index, sizeof *memory->blocks)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for another allocation");
        return ERROR_LIMIT;
    }
    if (memory->asks_written && !block.is_module_variable) {
        block.written = written_map_new(bytes);
    }
    memory->blocks[index] = block;
    if (block.start == memory->next) {
        memory->next = align_up(block.end + gap_of(memory, bytes));
    } else {
        forget_freed(memory, block.start, block.end);
    }
    memory->living_bytes += bytes;
    memory->made++;
    return ERROR_NONE;
}

enum error window_allocate(struct window_memory *memory, uint64_t bytes, bool is_module_variable,
                           bool is_constant, uint64_t *out_address, struct diagnostic *diagnostic)
{
    assert(bytes > 0);
    enum error error = check_limit(memory, bytes, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    uint64_t start = bytes < DEVICE_WINDOW_BYTES ? find_room(memory, bytes) : 0;
    error = make_block(memory,
                       (struct window_block){.start = start,
                                             .end = start + bytes,
                                             .is_module_variable = is_module_variable,
                                             .is_constant = is_constant},
                       diagnostic);
    if (error == ERROR_NONE) {
        *out_address = start;
    }
    return error;
}

enum error window_allocate_again(struct window_memory *memory, uint64_t bytes, uint64_t address,
                                 struct diagnostic *diagnostic)
{
    const struct window_range *freed = window_find_freed(memory, address);
    enum error error = check_limit(memory, bytes, diagnostic);
    if (error == ERROR_NONE &&
        (freed == NULL || freed->start != address || freed->end - address != bytes)) {
        diagnostic_set(diagnostic, BLAME_STUDENT, "nothing of %" PRIu64 " bytes was freed there",
                       bytes);
        error = ERROR_LIMIT;
    }
    return error != ERROR_NONE
               ? error
               : make_block(memory, (struct window_block){.start = address, .end = address + bytes},
                            diagnostic);
}

/* Gives the pages of a freed block that no living one shares back to the system, with the right to
 * use them: what the process may have at once is limited. `above` is the index of the first living
 * block above it. */
static void discard_pages(struct window_memory *memory, struct window_range freed, size_t above)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t hole = above == 0 ? DEVICE_WINDOW_START : memory->blocks[above - 1].end;
    uint64_t hole_end = above == memory->block_count ? window_end : memory->blocks[above].start;
    uint64_t first = (freed.start - DEVICE_WINDOW_START) / page * page;
    uint64_t last = (freed.end - DEVICE_WINDOW_START + page - 1) / page * page;
    uint64_t lowest = (hole - DEVICE_WINDOW_START + page - 1) / page * page;
    uint64_t highest = (hole_end - DEVICE_WINDOW_START) / page * page;
    first = first < lowest ? lowest : first;
    last = last > highest ? highest : last;
    if (first >= last) {
        return;
    }
    void *pages = memory->host + first;
    if (mmap(pages, last - first, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        madvise(pages, last - first, MADV_DONTNEED);
    }
}

void window_forget(struct window_memory *memory, uint64_t address)
{
    struct window_block *block = window_find(memory, address);

    if (block != NULL && block->start == address && block->written != NULL) {
        written_map_free(block->written);
        block->written = written_map_new(block->end - block->start);
    }
}

bool window_unwritten(const struct window_memory *memory, uint64_t address, uint64_t length,
                      uint64_t element_bytes, uint64_t *out_address)
{
    const struct window_block *block = window_find(memory, address);

    if (block == NULL || block->written == NULL || length == 0 || element_bytes == 0 ||
        length > block->end - address ||
        written_map_has_all(block->written, address - block->start, length)) {
        return false;
    }
    for (uint64_t at = 0; at + element_bytes <= length; at += element_bytes) {
        if (!written_map_has_any(block->written, address - block->start + at, element_bytes)) {
            *out_address = address + at;
            return true;
        }
    }
    return false;
}

bool window_free(struct window_memory *memory, uint64_t address)
{
    struct window_block *block = window_find(memory, address);
    if (block == NULL || block->start != address || block->is_module_variable || block->is_heap) {
        return false;
    }
    struct window_range range = {block->start, block->end};
    chunk_copy_free(block->saved);
    written_map_free(block->written);
    size_t index = (size_t)(block - memory->blocks);
    memory->block_count--;
    memmove(block, block + 1, (memory->block_count - index) * sizeof *block);
    memory->living_bytes -= range.end - range.start;
    discard_pages(memory, range, index);
    size_t at = freed_above(memory, range.start);
    if (memory->freed_count < FREED_MAX &&
        insert_element((void **)&memory->freed, &memory->freed_count, &memory->freed_capacity, at,
                       sizeof *memory->freed)) {
        memory->freed[at] = range;
    }
    return true;
}

struct window_block *window_find(const struct window_memory *memory, uint64_t address)
{
    size_t above = block_above(memory, address);
    if (above == 0 || address >= memory->blocks[above - 1].end) {
        return NULL;
    }
    return &memory->blocks[above - 1];
}

const struct window_block *window_nearest(const struct window_memory *memory, uint64_t address)
{
    if (memory->block_count == 0) {
        return NULL;
    }
    size_t above = block_above(memory, address);
    if (above == 0) {
        return &memory->blocks[0];
    }
    const struct window_block *below = &memory->blocks[above - 1];
    if (above == memory->block_count) {
        return below;
    }
    const struct window_block *next = &memory->blocks[above];
    return address - below->end < next->start - address ? below : next;
}

const struct window_range *window_find_freed(const struct window_memory *memory, uint64_t address)
{
    size_t above = freed_above(memory, address);
    if (above == 0 || address >= memory->freed[above - 1].end) {
        return NULL;
    }
    return &memory->freed[above - 1];
}

/* What is written whole needs no map any more. */
static void mark_written(struct window_block *block, uint64_t address, uint64_t length)
{
    if (block->written == NULL) {
        return;
    }
    written_map_extend(block->written, address - block->start, length);
    if (block->written->prefix == block->end - block->start) {
        written_map_free(block->written);
        block->written = NULL;
    }
}

uint8_t *window_range_host(const struct window_memory *memory, uint64_t address, uint64_t length,
                           bool for_writing)
{
    struct window_block *block = window_find(memory, address);
    if (block == NULL || length > block->end - address) {
        return NULL;
    }
    if (for_writing && length > 0) {
        window_before_write(block, address, length);
        mark_written(block, address, length);
    }
    return window_host(memory, address);
}

/* Carries along what has been written of what is copied. */
static void copy_written(struct window_block *target, uint64_t to,
                         const struct window_block *source, uint64_t from, uint64_t length)
{
    const struct written_map *map = source->written;
    if (map == NULL || written_map_has_all(map, from - source->start, length)) {
        mark_written(target, to, length);
        return;
    }
    if (target->written == NULL) {
        uint64_t bytes = target->end - target->start;
        target->written = target->is_module_variable ? NULL : written_map_new(bytes);
        if (target->written == NULL) {
            return; /* as if all were written */
        }
        written_map_extend(target->written, 0, bytes);
    }
    written_map_copy(target->written, to - target->start, map, from - source->start, length);
}

bool window_copy(const struct window_memory *memory, uint64_t to, uint64_t from, uint64_t length)
{
    const uint8_t *source = window_range_host(memory, from, length, false);
    uint8_t *target = window_range_host(memory, to, length, false);
    if (source == NULL || target == NULL) {
        return false;
    }
    if (length > 0) {
        struct window_block *block = window_find(memory, to);
        window_before_write(block, to, length);
        copy_written(block, to, window_find(memory, from), from, length);
        memmove(target, source, length);
    }
    return true;
}

enum error window_snapshot(struct window_memory *memory, struct diagnostic *diagnostic)
{
    window_discard(memory);
    for (size_t i = 0; i < memory->block_count; i++) {
        struct window_block *block = &memory->blocks[i];
        size_t bytes = block->end - block->start;
        block->saved = chunk_copy_new(window_host(memory, block->start), bytes);
        if (block->saved == NULL) {
            window_discard(memory);
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "no memory for a snapshot of %" PRIu64 " bytes", memory->living_bytes);
            return ERROR_LIMIT;
        }
    }
    memory->has_snapshot = true;
    return ERROR_NONE;
}

void window_restore(struct window_memory *memory)
{
    for (size_t i = 0; i < memory->block_count; i++) {
        if (memory->blocks[i].saved != NULL) {
            chunk_copy_restore(memory->blocks[i].saved);
        }
    }
}

void window_discard(struct window_memory *memory)
{
    for (size_t i = 0; i < memory->block_count; i++) {
        chunk_copy_free(memory->blocks[i].saved);
        memory->blocks[i].saved = NULL;
    }
    memory->has_snapshot = false;
}
