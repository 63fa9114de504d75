/* barriers.c: see barriers.h. */
#include "device/emulated/exec/barriers.h"

#include "device/emulated/exec/endless.h"
#include "device/emulated/exec/exchange.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/finding_table.h"
#include "device/emulated/lower/op_place.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/async_copies.h"
#include "device/emulated/race/race_watch.h"
#include "device/emulated/race/thread_order.h"
#include "device/emulated/race/touch_watch.h"

#include <stdlib.h>
#include <string.h>

/* A 32-bit operand, the same for all lanes of a mask. */
static uint32_t operand_of_first(const struct warp *warp, uint32_t slot, uint32_t mask)
{
    const uint32_t *lanes = (const uint32_t *)(const void *)(warp->file + slot);
    return lanes[__builtin_ctz(mask)];
}

static uint32_t first_thread(const struct warp *warp, uint32_t mask)
{
    return warp->index * LANES + (mask == 0 ? 0 : (uint32_t)__builtin_ctz(mask));
}

void block_report(struct warp *warp, enum finding_record_kind kind, const struct path *path,
                  uint32_t access, const struct warp *other_warp, const struct path *other,
                  uint64_t count)
{
    struct fault fault = {
        .kind = kind,
        .places[0] = {.op = path->pc, .access = access, .thread = first_thread(warp, path->mask)},
        .block = warp->block->linear,
        .count = count,
    };
    if (other != NULL) {
        fault.places[1] = (struct fault_place){
            .op = other->pc, .access = access, .thread = first_thread(other_warp, other->mask)};
    }
    finding_table_add(warp->worker->findings, &fault);
}

/* Reports, once for a warp, that a part of it waited alone at a barrier that now completes. */
static void report_divergence(struct warp *warp, uint32_t number)
{
    const struct path *first = NULL;
    const struct path *second = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *path = &warp->paths[i];
        if (path->state != PATH_AT_BARRIER || path->barrier != number) {
            continue;
        }
        bool is_alone = path->mask != path->expected;
        if (is_alone && (first == NULL || path->pc < first->pc)) {
            second = first;
            first = path;
        } else if (is_alone && (second == NULL || path->pc < second->pc)) {
            second = path;
        }
    }
    if (first != NULL) {
        uint64_t missing = (uint64_t)__builtin_popcount(first->expected & ~first->mask);
        block_report(warp, FINDING_RECORD_BARRIER_DIVERGENT, first, FINDING_RECORD_WAIT, warp,
                     second, missing);
    }
}

/* The result of bar.red, for the lanes of a path that waited at it. */
static void store_reduction(struct warp *warp, const struct path *path,
                            const struct barrier *barrier)
{
    const struct op *op = path->pc;
    uint32_t *d = (uint32_t *)(void *)(warp->file + op->slot[0]);
    if (op->kind == PTX_SUB_POPC) {
        for (uint32_t left = path->mask; left != 0; left &= left - 1) {
            d[__builtin_ctz(left)] = barrier->true_threads;
        }
    } else if (op->kind == PTX_SUB_AND || op->kind == PTX_SUB_OR) {
        bool holds = op->kind == PTX_SUB_AND ? barrier->true_threads == barrier->holds
                                             : barrier->true_threads > 0;
        *d = holds ? *d | path->mask : *d & ~path->mask;
    }
}

/* Where the lowest thread waits at a barrier; NULL: all have only arrived. */
static const struct op *lowest_waiting(const struct block *block, uint32_t number)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        const struct path *lowest = NULL;
        for (uint32_t i = 0; i < warp->path_count; i++) {
            const struct path *path = &warp->paths[i];
            bool waits = path->state == PATH_AT_BARRIER && path->barrier == number;
            bool is_lower = waits && (lowest == NULL ||
                                      __builtin_ctz(path->mask) < __builtin_ctz(lowest->mask));
            lowest = is_lower ? path : lowest;
        }
        if (lowest != NULL) {
            return lowest->pc;
        }
    }
    return NULL;
}

/* True if two ops are one place of the source; where that is unknown, if they are one op. */
static bool is_same_place(const struct kernel_code *code, const struct op *a, const struct op *b)
{
    struct finding_record_place first = {0};
    struct finding_record_place second = {0};
    if (a == b) {
        return true;
    }
    op_place_fill(code, a, &first);
    op_place_fill(code, b, &second);
    return first.line != 0 && memcmp(&first, &second, sizeof first) == 0;
}

/* The path of a warp that waits at a barrier undivided; NULL if there is none. */
static const struct path *undivided_path(const struct warp *warp, uint32_t number)
{
    const struct path *waits = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *path = &warp->paths[i];
        if (path->state == PATH_AT_BARRIER && path->barrier == number) {
            waits = waits == NULL && path->mask == path->expected ? path : NULL;
            if (waits == NULL) {
                return NULL;
            }
        }
    }
    return waits;
}

/* Reports that warps met at different places, each of them undivided. */
static void report_mismatch(struct block *block, uint32_t number)
{
    struct warp *first_warp = NULL;
    const struct path *first = NULL;
    const struct warp *second_warp = NULL;
    const struct path *second = NULL;
    uint64_t elsewhere = 0;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        const struct path *path = undivided_path(warp, number);
        if (path == NULL) {
            continue;
        }
        if (first == NULL) {
            first = path;
            first_warp = warp;
        } else if (!is_same_place(block->launch->code, path->pc, first->pc)) {
            second_warp = second == NULL ? warp : second_warp;
            second = second == NULL ? path : second;
            elsewhere += (uint64_t)__builtin_popcount(path->mask);
        }
    }
    if (second != NULL) {
        block_report(first_warp, FINDING_RECORD_BARRIER_MISMATCH, first, FINDING_RECORD_WAIT,
                     second_warp, second, elsewhere);
    }
}

/* Reports threads that had exited when a barrier of the whole block completed. */
static void report_exited(struct block *block, const struct op *op)
{
    const struct warp *waits = block->warps;
    while (waits->live == 0) {
        waits++;
    }
    for (uint32_t i = 0; i < block->exit_count; i++) {
        const struct block_exit *gone = &block->exits[i];
        struct fault fault = {
            .kind = FINDING_RECORD_BARRIER_INCOMPLETE,
            .places[0] = {.op = op,
                          .access = FINDING_RECORD_WAIT,
                          .thread = first_thread(waits, waits->live)},
            .places[1] = {.op = gone->op,
                          .thread = gone->warp * LANES + (uint32_t)__builtin_ctz(gone->mask)},
            .block = block->linear,
            .count = (uint64_t)__builtin_popcount(gone->mask),
        };
        finding_table_add(block->worker->findings, &fault);
    }
}

/* True if all that a barrier is for is the order of accesses to shared memory: it gives no result,
 * and is not part of a wait for other blocks. */
static bool only_orders(const struct block *block, const struct op *op)
{
    bool has_result = op->kind == PTX_SUB_POPC || op->kind == PTX_SUB_AND || op->kind == PTX_SUB_OR;

    return !has_result && block->launch->workspace == 0;
}

/* Tells who watches that a barrier is complete; its threads still wait. */
static void watch_completion(struct block *block, uint32_t number)
{
    const struct op *op = lowest_waiting(block, number);
    bool is_whole = block->barriers[number].expected == 0;
    struct thread_order *order = block->launch->thread_order;
    if (op != NULL && block->worker->is_watched && only_orders(block, op)) {
        count_passed(block->worker, op);
    }
    if (is_whole && block->worker->touches != NULL) {
        touch_watch_barrier(block->worker->touches);
    }
    if (is_whole) {
        thread_order_barrier(order, block->linear);
    } else {
        thread_order_completion(order, block->linear, number);
    }
    if (op != NULL && is_whole) {
        report_mismatch(block, number);
        report_exited(block, op);
        race_barrier(block, op);
    } else if (!is_whole) {
        is_whole = race_partial_barrier(block, number, op);
    }
    if (op != NULL && is_whole && block->races != NULL) {
        copies_pass_barrier(block);
    }
}

/* Lets all threads that wait at a barrier go on. */
static void complete(struct block *block, uint32_t number)
{
    struct barrier *barrier = &block->barriers[number];
    watch_completion(block, number);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        report_divergence(warp, number);
        for (uint32_t i = 0; i < warp->path_count; i++) {
            struct path *path = &warp->paths[i];
            if (path->state == PATH_AT_BARRIER && path->barrier == number) {
                store_reduction(warp, path, barrier);
                path->state = PATH_RUNS;
                path->pc++;
            }
        }
    }
    *barrier = (struct barrier){0};
    block->progress++;
}

static void complete_if_all_came(struct block *block, uint32_t number)
{
    const struct barrier *barrier = &block->barriers[number];
    uint32_t needed = barrier->expected != 0 ? barrier->expected : block->alive;
    if (barrier->arrived > 0 && barrier->arrived >= needed) {
        complete(block, number);
    }
}

/* Lets paths go on that wait at bar.warp.sync for lanes that have all come or exited. */
static void complete_warp_syncs(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->path_count; i++) {
        uint32_t named = warp->paths[i].expected;
        uint32_t came = 0;
        if (warp->paths[i].state != PATH_AT_WARP_SYNC || warp->paths[i].mask == 0) {
            continue;
        }
        for (uint32_t k = 0; k < warp->path_count; k++) {
            const struct path *path = &warp->paths[k];
            bool waits = path->state == PATH_AT_WARP_SYNC && path->expected == named;
            came |= waits ? path->mask : 0;
        }
        if ((named & warp->live & ~came) != 0) {
            continue;
        }
        race_warp_sync(warp, named | came);
        thread_order_warp_sync(warp->block->launch->thread_order, warp, named | came);
        for (uint32_t k = 0; k < warp->path_count; k++) {
            struct path *path = &warp->paths[k];
            if (path->state == PATH_AT_WARP_SYNC && path->expected == named) {
                const uint8_t *masks = warp->file + path->pc->slot[1];
                exchange_report(warp, path->pc, (const uint32_t *)(const void *)masks, path->mask,
                                path->awaited & ~came);
                path->awaited = 0;
                path->state = PATH_RUNS;
                path->pc++;
            }
        }
    }
}

void barriers_after_exit(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct block *block = warp->block;
    block->exits[block->exit_count++] = (struct block_exit){op, warp->index, mask};
    complete_warp_syncs(warp);
    for (uint32_t i = 0; i < BARRIERS; i++) {
        if (block->barriers[i].expected == 0) {
            complete_if_all_came(block, i);
        }
    }
}

/* Joins a path that began to wait with one of its warp that waits at the same op. */
static void join_waiting(struct warp *warp, struct path *path)
{
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path *other = &warp->paths[i];
        if (other != path && other->state == path->state && other->pc == path->pc &&
            other->mask != 0) {
            other->mask |= path->mask;
            other->expected |= path->expected;
            path->mask = 0;
            path->state = PATH_RUNS;
            return;
        }
    }
}

/* The lanes of `mask` as a path of their own that stands at the op; the other lanes of the running
 * path go on behind it. */
static struct path *part_that_waits(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct path *current = warp_current(warp);
    if (current->mask == mask) {
        return current;
    }
    current->pc = op + 1;
    return warp_split(warp, mask, op);
}

void barrier_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct block *block = warp->block;
    warp_count_through(warp, op);
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    uint32_t number = operand_of_first(warp, op->slot[1], mask) % BARRIERS;
    uint32_t count = operand_of_first(warp, op->slot[2], mask);
    struct barrier *barrier = &block->barriers[number];
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    block->barrier_arrivals++;
    if (warp->worker->is_watched) {
        count_arrival(warp, op, mask);
    }
    barrier->expected = count;
    /* counts are in whole warps: a warp that comes as one counts as 32 threads */
    barrier->arrived += count != 0 && mask == warp->live ? LANES : lanes;
    if (count != 0) {
        bool waits = op->kind != PTX_SUB_ARRIVE;
        race_partial_arrival(warp, number, mask, waits);
        thread_order_arrival(block->launch->thread_order, warp, number, mask, waits);
    }
    if (op->kind == PTX_SUB_POPC || op->kind == PTX_SUB_AND || op->kind == PTX_SUB_OR) {
        uint32_t held = *(const uint32_t *)(const void *)(warp->file + op->slot[3]);
        barrier->holds += lanes;
        barrier->true_threads += (uint32_t)__builtin_popcount(held & mask);
    }
    if (op->kind == PTX_SUB_ARRIVE) {
        warp->pc = op + 1;
        complete_if_all_came(block, number);
        warp_schedule(warp);
        return;
    }
    struct path *path = part_that_waits(warp, op, mask);
    path->state = PATH_AT_BARRIER;
    path->barrier = (uint8_t)number;
    path->expected = warp_lanes_that_stay(warp);
    join_waiting(warp, path);
    complete_if_all_came(block, number);
    warp->pc = warp->paths[warp->current].pc;
    warp_schedule(warp);
}

void warp_sync_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    warp_count_through(warp, op);
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    const uint32_t *masks = (const uint32_t *)(const void *)(warp->file + op->slot[1]);
    uint32_t left = mask;
    while (left != 0) { /* lanes may name different ones */
        uint32_t named = masks[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            same |= masks[__builtin_ctz(lanes)] == named ? lanes & -lanes : 0;
        }
        struct path *waits = part_that_waits(warp, op, same);
        waits->state = PATH_AT_WARP_SYNC;
        waits->expected = named;
        waits->awaited = named & warp_lanes_that_stay(warp);
        left &= ~same;
    }
    complete_warp_syncs(warp);
    warp->pc = warp->paths[warp->current].pc;
    warp_schedule(warp);
}

/* The places where threads of a block wait: the lowest thread of each, in their order. */
struct waiting_places {
    struct fault_place places[FINDING_RECORD_PLACES];
    size_t count;
    uint64_t threads; /* also of those for which there is no room */
};

/* Where a path waits: at a barrier or, if it runs, in a loop. */
static struct fault_place waiting_place(const struct warp *warp, const struct path *path)
{
    const struct endless_wait *wait =
        path->state == PATH_RUNS ? endless_wait_of(warp, path->mask) : NULL;
    bool is_barrier = wait == NULL || (wait->fetch != NULL && wait->fetch->code == OP_MBARRIER);
    return (struct fault_place){
        .op = wait != NULL ? wait->branch : path->pc,
        .access = is_barrier ? FINDING_RECORD_WAIT : FINDING_RECORD_NO_ACCESS,
        .thread = first_thread(warp, path->mask),
    };
}

/* Enters a path whose place may be new; a lower thread than those that are known takes its turn. */
static void enter_waiting(struct waiting_places *waiting, const struct warp *warp,
                          const struct path *path)
{
    struct fault_place place = waiting_place(warp, path);
    for (size_t i = 0; i < waiting->count; i++) {
        if (waiting->places[i].op == place.op) {
            waiting->places[i].thread =
                place.thread < waiting->places[i].thread ? place.thread : waiting->places[i].thread;
            return;
        }
    }
    if (waiting->count < FINDING_RECORD_PLACES) {
        waiting->places[waiting->count++] = place;
    }
}

static int compare_waiting(const void *left, const void *right)
{
    const struct fault_place *a = left;
    const struct fault_place *b = right;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

void barriers_report_deadlock(struct block *block, const struct fault *what)
{
    struct waiting_places waiting = {.count = 0};
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->path_count; i++) {
            const struct path *path = &warp->paths[i];
            if (path->mask != 0) {
                waiting.threads += (uint64_t)__builtin_popcount(path->mask);
                enter_waiting(&waiting, warp, path);
            }
        }
    }
    if (waiting.count == 0) {
        return;
    }
    qsort(waiting.places, waiting.count, sizeof waiting.places[0], compare_waiting);
    struct fault fault = *what;
    fault.block = block->linear;
    fault.count = waiting.threads;
    memcpy(fault.places, waiting.places, sizeof fault.places);
    finding_table_add(block->worker->findings, &fault);
}
