/* pattern_watch.h: tells who watches global memory of an access by all lanes of a pattern at once.
 *
 * The access is valid, lies in pattern->block, and has not been made yet. Functions are static:
 * memory_handlers.c is compiled once for each kind of processor (variant.h).
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_PATTERN_WATCH_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_PATTERN_WATCH_H

#include "device/emulated/memory/access_check.h"
#include "device/emulated/race/order_watch.h"
#include "device/emulated/race/touch_watch.h"

/* Begins to load the states of the words that the lanes of the pattern touch: where they lie far
 * apart, that takes longest. */
static void prefetch_states(const struct access_pattern *pattern, const struct warp *warp,
                            const struct op *op)
{
    struct touch_watch *touches = warp->worker->touches;
    for (uint32_t left = pattern->mask; left != 0; left &= left - 1) {
        uint64_t address = access_address(warp, op, (unsigned)__builtin_ctz(left));
        uint64_t word = (address - pattern->block->start) / 4;
        struct touch_page *page = touch_page(touches, pattern->block, word);
        __builtin_prefetch(&page->states[word % TOUCH_PAGE_WORDS], 1);
    }
}

/* Tells what each lane of the pattern touches. */
static void touch_lanes(const struct access_pattern *pattern, const struct warp *warp,
                        const struct op *op, enum touch_kind kind)
{
    struct touch_watch *touches = warp->worker->touches;
    const uint32_t bytes = (uint32_t)op->bytes * op->count;
    prefetch_states(pattern, warp, op);
    for (uint32_t left = pattern->mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        touch_access(touches, pattern->block, access_address(warp, op, lane), bytes,
                     touch_now(touches, warp, lane), kind);
    }
}

/* The same for groups of eight lanes that read one element: two of them stand for all. */
static void touch_uniform(const struct access_pattern *pattern, const struct warp *warp,
                          const struct op *op)
{
    struct touch_watch *touches = warp->worker->touches;
    for (unsigned lane = 0; lane < LANES; lane += 8) {
        if (lane > 0 && pattern->group[lane / 8] == pattern->group[lane / 8 - 1]) {
            continue;
        }
        for (unsigned i = 0; i < 2; i++) {
            touch_access(touches, pattern->block, access_address(warp, op, lane),
                         (uint32_t)op->bytes * op->count, touch_now(touches, warp, lane + i),
                         TOUCH_READ);
        }
    }
}

/* The same for lanes in groups of eight with a word each, next to each other. */
static inline __attribute__((always_inline)) void touch_groups(const struct access_pattern *pattern,
                                                               const struct warp *warp,
                                                               const struct op *op,
                                                               enum touch_kind kind)
{
    struct touch_watch *touches = warp->worker->touches;
    for (unsigned lane = 0; lane < LANES; lane += 8) {
        uint64_t address = access_address(warp, op, lane);
        uint64_t word = (address - pattern->block->start) / 4;
        uint32_t now = touch_now(touches, warp, lane);
        if (kind == TOUCH_READ && touch_is_read_only(touches, pattern->block, address, 32)) {
            continue; /* the rows of a tile lie in several pages */
        }
        struct touch_page *page = touch_page(touches, pattern->block, word);
        if (word % TOUCH_PAGE_WORDS <= TOUCH_PAGE_WORDS - 8) {
            touch_eight(touches, page, word, now, kind);
            continue;
        }
        for (unsigned i = 0; i < 8; i++) {
            page = touch_page(touches, pattern->block, word + i);
            touch_word(touches, page, word + i, now + i, kind);
        }
    }
}

/* Tells the watch of an access to [low, low + span) by all lanes of the pattern, when it asks which
 * words are touched. */
static __attribute__((noinline)) void touch_pattern(const struct access_pattern *pattern,
                                                    const struct warp *warp, const struct op *op,
                                                    uint64_t low, uint64_t span, bool writes)
{
    const enum touch_kind kind = touch_kind_of(warp->block->launch->code, op, writes);
    const bool is_in_groups = pattern->shape == SHAPE_CONTIGUOUS && op->bytes * op->count == 4;
    if (is_in_groups && kind == TOUCH_WRITE) {
        touch_groups(pattern, warp, op, TOUCH_WRITE);
    } else if (is_in_groups && kind == TOUCH_READ) {
        touch_groups(pattern, warp, op, TOUCH_READ);
    } else if (pattern->shape == SHAPE_UNIFORM && kind == TOUCH_READ) {
        touch_uniform(pattern, warp, op);
    } else {
        touch_lanes(pattern, warp, op, kind);
    }
    if (writes && span <= CHUNK_BYTES) {
        order_watch_keep(warp->block->launch->watch, pattern->block, low, (uint32_t)span);
        return;
    }
    for (uint32_t left = writes ? pattern->mask : 0; left != 0; left &= left - 1) {
        uint64_t address = access_address(warp, op, (unsigned)__builtin_ctz(left));
        order_watch_keep(warp->block->launch->watch, pattern->block, address,
                         (uint32_t)op->bytes * op->count);
    }
}

/* Tells the watch of an access by all lanes of the pattern. */
static __attribute__((noinline)) void watch_access(const struct access_pattern *pattern,
                                                   const struct warp *warp, const struct op *op,
                                                   bool writes)
{
    struct order_watch *watch = warp->block->launch->watch;
    if (!writes) {
        order_watch_load(watch, pattern->block);
        return;
    }
    const uint32_t bytes = (uint32_t)op->bytes * op->count;
    uint32_t left = pattern->mask;
    while (left != 0) {
        uint64_t start = access_address(warp, op, (unsigned)__builtin_ctz(left));
        uint32_t length = 0;
        do { /* lanes next to each other mostly store next to each other */
            length += bytes;
            left &= left - 1;
        } while (left != 0 &&
                 access_address(warp, op, (unsigned)__builtin_ctz(left)) == start + length);
        order_watch_store(watch, pattern->block, start, length, warp->block->linear);
    }
}

/* Tells the snapshot of a store by all lanes of the pattern, to [low, low + span). */
static __attribute__((noinline)) void before_write(const struct access_pattern *pattern,
                                                   const struct warp *warp, const struct op *op,
                                                   uint64_t low, uint64_t span)
{
    if (span <= CHUNK_BYTES) {
        window_before_write(pattern->block, low, span);
        return;
    }
    for (uint32_t left = pattern->mask; left != 0; left &= left - 1) {
        window_before_write(pattern->block, access_address(warp, op, (unsigned)__builtin_ctz(left)),
                            (uint32_t)op->bytes * op->count);
    }
}

/* Marks what a store by all lanes of the pattern writes; false if each lane is to be looked at. */
static __attribute__((noinline)) bool look_written(const struct access_pattern *pattern,
                                                   uint64_t low, uint64_t span, bool writes)
{
    struct written_map *map = pattern->block->written;
    uint64_t offset = low - pattern->block->start;
    bool is_row =
        pattern->shape == SHAPE_CONTIGUOUS && span == (uint64_t)(uint32_t)pattern->delta[1] * LANES;
    if (writes && is_row) {
        written_map_mark(map, offset, span);
        return true;
    }
    return written_map_has_all(map, offset, span);
}

/* True if races are looked for in [low, low + span) of the pattern's block. */
static bool global_races_ask(const struct warp *warp, const struct access_pattern *pattern,
                             uint64_t low, uint64_t span)
{
    const struct touch_watch *touches = warp->block->launch->touches;
    return touches == NULL || touch_has_met(touches, pattern->block, low, span);
}

#endif
