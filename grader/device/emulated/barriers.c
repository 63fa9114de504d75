/* barriers.c: see barriers.h. */
#include "device/emulated/barriers.h"

#include "device/emulated/finding_table.h"
#include "device/emulated/paths.h"

#include <assert.h>

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
        .places[0] = {path->pc, access, first_thread(warp, path->mask)},
        .block = warp->block->linear,
        .count = count,
    };
    if (other != NULL) {
        fault.places[1] =
            (struct fault_place){other->pc, access, first_thread(other_warp, other->mask)};
    }
    finding_table_add(warp->worker->findings, &fault);
}

/* Lanes of a warp that are alive, without those whose next instruction is an exit. */
static uint32_t lanes_that_stay(const struct warp *warp)
{
    uint32_t mask = warp->live;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *path = &warp->paths[i];
        bool exits = path->state == PATH_RUNS && path->pc->code == OP_EXIT &&
                     (path->pc->flags & OP_GUARDED) == 0;
        mask &= exits ? ~path->mask : ALL_LANES;
    }
    return mask;
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

/* Lets all threads that wait at a barrier go on. */
static void complete(struct block *block, uint32_t number)
{
    struct barrier *barrier = &block->barriers[number];
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

void barriers_after_exit(struct block *block)
{
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
    barrier->expected = count;
    /* counts are in whole warps: a warp that comes as one counts as 32 threads */
    barrier->arrived += count != 0 && mask == warp->live ? LANES : lanes;
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
    path->expected = lanes_that_stay(warp);
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
    uint32_t members = operand_of_first(warp, op->slot[1], mask) & warp->live;
    struct path *waits = part_that_waits(warp, op, mask);
    waits->state = PATH_AT_WARP_SYNC;
    uint32_t came = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        came |= warp->paths[i].state == PATH_AT_WARP_SYNC ? warp->paths[i].mask : 0;
    }
    if ((came & members) == members) {
        for (uint32_t i = 0; i < warp->path_count; i++) {
            struct path *path = &warp->paths[i];
            if (path->state == PATH_AT_WARP_SYNC) {
                path->state = PATH_RUNS;
                path->pc++;
            }
        }
    }
    warp->pc = warp->paths[warp->current].pc;
    warp_schedule(warp);
}

/* The path of a block that waits and has the lowest thread, at another op than `apart` (NULL: at
 * any). */
static const struct path *first_waiting(const struct block *block, const struct op *apart,
                                        struct warp **out_warp, uint64_t *out_threads)
{
    const struct path *first = NULL;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        const struct path *lowest = NULL;
        for (uint32_t i = 0; i < warp->path_count; i++) {
            const struct path *path = &warp->paths[i];
            if (path->mask == 0 || path->pc == apart) {
                continue;
            }
            *out_threads += (uint64_t)__builtin_popcount(path->mask);
            bool is_lower =
                lowest == NULL || __builtin_ctz(path->mask) < __builtin_ctz(lowest->mask);
            lowest = is_lower ? path : lowest;
        }
        if (first == NULL && lowest != NULL) {
            first = lowest;
            *out_warp = warp;
        }
    }
    return first;
}

void barriers_report_deadlock(struct block *block)
{
    struct warp *warp = NULL;
    struct warp *other_warp = NULL;
    uint64_t threads = 0;
    uint64_t others = 0;
    const struct path *first = first_waiting(block, NULL, &warp, &threads);
    if (first == NULL) {
        return;
    }
    const struct path *second = first_waiting(block, first->pc, &other_warp, &others);
    block_report(warp, FINDING_RECORD_BARRIER_DEADLOCK, first, FINDING_RECORD_WAIT, other_warp,
                 second, threads);
}
