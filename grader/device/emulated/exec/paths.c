/* paths.c: see paths.h. */
#include "device/emulated/exec/paths.h"

#include "device/emulated/exec/call_stack.h"

#include <assert.h>
#include <string.h>

void warp_start(struct warp *warp, uint32_t lanes)
{
    uint32_t mask = lanes == LANES ? ALL_LANES : (UINT32_C(1) << lanes) - 1;
    warp->live = mask;
    warp->path_count = 1;
    warp->current = 0;
    warp->turns = 0;
    warp->paths[0] = (struct path){.pc = warp->block->launch->code->ops, .mask = mask};
    warp->pc = warp->paths[0].pc;
    warp->active = 0;
    warp->stop = NULL;
    warp->is_rotated = false;
    warp->suspended = false;
}

struct path *warp_current(struct warp *warp)
{
    struct path *path = &warp->paths[warp->current];
    path->pc = warp->pc;
    return path;
}

/* How deep in calls a path is that is not empty. */
static inline uint32_t depth_of(const struct warp *warp, const struct path *path)
{
    return warp->stacks == NULL ? 0 : warp->stacks[__builtin_ctz(path->mask)].depth;
}

/* Removes a path; the last one takes its place. */
static void remove_path(struct warp *warp, uint32_t index)
{
    warp->path_count--;
    warp->paths[index] = warp->paths[warp->path_count];
    if (warp->current == index) {
        warp->current = 0;
        warp->is_rotated = false;
    } else if (warp->current == warp->path_count) {
        warp->current = index;
    }
}

/* Removes empty paths and merges running ones at the same op. */
static void merge_paths(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->path_count;) {
        struct path *path = &warp->paths[i];
        bool is_gone = path->mask == 0;
        for (uint32_t k = 0; k < i && !is_gone; k++) {
            struct path *other = &warp->paths[k];
            if (path->state == PATH_RUNS && other->state == PATH_RUNS && path->pc == other->pc &&
                depth_of(warp, path) == depth_of(warp, other)) {
                other->mask |= path->mask;
                if (warp->current == i) {
                    warp->current = k;
                }
                is_gone = true;
            }
        }
        if (is_gone) {
            remove_path(warp, i);
        } else {
            i++;
        }
    }
}

/* True if a path goes before another one: it is deeper in calls or, at the same depth, lower. */
static bool goes_before(const struct warp *warp, const struct path *path, const struct path *other)
{
    uint32_t depth = depth_of(warp, path);
    uint32_t other_depth = depth_of(warp, other);
    return depth != other_depth ? depth > other_depth : path->pc < other->pc;
}

/* The path that goes before all others; with `rotate`, the one that had its turn longest ago. */
static struct path *choose_path(struct warp *warp, bool rotate)
{
    struct path *best = NULL;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct path *path = &warp->paths[i];
        if (path->state != PATH_RUNS) {
            continue;
        }
        if (best == NULL || (rotate ? path->turn < best->turn : goes_before(warp, path, best))) {
            best = path;
        }
    }
    return best;
}

/* Makes a path the running one. A rotated path stops at no other; else it stops at the next one
 * above it. */
static void run_path(struct warp *warp, struct path *path)
{
    warp->current = (uint32_t)(path - warp->paths);
    warp->active = path->mask;
    warp->active_count = (uint32_t)__builtin_popcount(path->mask);
    warp->pc = path->pc;
    warp_count_from(warp, path->pc);
    warp->stop = NULL;
    uint32_t depth = depth_of(warp, path);
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *other = &warp->paths[i];
        bool is_above =
            other->state == PATH_RUNS && other->pc > path->pc && depth_of(warp, other) == depth;
        if (is_above && (warp->stop == NULL || other->pc < warp->stop)) {
            warp->stop = other->pc;
        }
    }
}

void warp_schedule(struct warp *warp)
{
    if (warp->path_count > 0) {
        warp_current(warp);
    }
    merge_paths(warp);
    struct path *next = NULL;
    if (warp->is_rotated && warp->path_count > 0) {
        struct path *current = &warp->paths[warp->current];
        next = current->state == PATH_RUNS ? current : NULL;
    }
    if (next == NULL) {
        warp->is_rotated = false;
        next = choose_path(warp, false);
    }
    if (next == NULL) {
        warp->suspended = true;
        warp->active = 0;
        return;
    }
    run_path(warp, next);
}

bool warp_begin_turn(struct warp *warp)
{
    merge_paths(warp);
    uint32_t runnable = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        runnable += warp->paths[i].state == PATH_RUNS;
    }
    if (runnable == 0) {
        return false;
    }
    /* every second turn of a warp with several runnable paths goes to the one that waited longest
     */
    bool rotate = runnable > 1 && warp->ticks == 0 && !warp->is_rotated;
    struct path *path = choose_path(warp, rotate);
    path->turn = ++warp->turns;
    warp->is_rotated = rotate;
    warp->ticks = runnable > 1 ? TURN_OPS_DIVERGENT : TURN_OPS;
    warp->suspended = false;
    warp->has_polled = false;
    warp->has_acted = false;
    run_path(warp, path);
    return true;
}

void warp_jump(struct warp *warp, const struct op *pc)
{
    const struct op *from = warp->pc;
    warp->pc = pc;
    warp_count_from(warp, pc);
    if (pc <= from) {
        uint64_t cost = (uint64_t)(from - pc) + 1;
        warp->ticks = cost < warp->ticks ? warp->ticks - (uint32_t)cost : 0;
        if (warp->ticks == 0) {
            warp_current(warp);
            warp->suspended = true;
            return;
        }
    }
    if (warp->path_count > 1) {
        warp_schedule(warp);
    }
}

void warp_transfer(struct warp *warp, const struct op *pc, uint32_t cost)
{
    warp->pc = pc;
    warp_count_from(warp, pc);
    warp->ticks = cost < warp->ticks ? warp->ticks - cost : 0;
    if (warp->ticks == 0) {
        warp_current(warp);
        warp->suspended = true;
    } else if (warp->path_count > 1) {
        warp_schedule(warp);
    }
}

struct path *warp_split(struct warp *warp, uint32_t mask, const struct op *pc)
{
    assert(warp->path_count < LANES && (mask & ~warp->paths[warp->current].mask) == 0);
    struct path *path = &warp->paths[warp->path_count++];
    *path = (struct path){.pc = pc, .mask = mask};
    warp->paths[warp->current].mask &= ~mask;
    return path;
}

uint32_t warp_lanes_that_stay(const struct warp *warp)
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

void warp_exit_lanes(struct warp *warp, uint32_t mask)
{
    warp->live &= ~mask;
    warp->paths[warp->current].mask &= ~mask;
}

void warp_fail_lanes(struct warp *warp, const struct op *op, uint32_t mask,
                     enum block_state failure)
{
    struct block *block = warp->block;
    struct path *path = warp_current(warp);
    block->failure = failure > block->failure ? failure : block->failure;
    if (path->mask != mask) {
        path = warp_split(warp, mask, op);
        warp->pc = op + 1;
    }
    path->state = PATH_FAILED;
    warp_schedule(warp);
}

void warp_step(struct warp *warp)
{
    const struct op *op = warp->pc;
    uint32_t mask = warp->active;
    if ((op->flags & OP_GUARDED) != 0) {
        uint32_t guard = *(const uint32_t *)(const void *)(warp->file + op->guard);
        mask &= (op->flags & OP_GUARD_NEGATED) != 0 ? ~guard : guard;
        warp_discount(warp, op, mask);
    }
    if ((op->flags & OP_CONTROL) != 0) {
        op->run(warp, op, mask);
        return;
    }
    if (mask != 0) {
        op->run(warp, op, mask);
    }
    warp->pc = op + 1;
}
