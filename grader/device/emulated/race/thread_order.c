/* thread_order.c: see thread_order.h. */
#include "device/emulated/race/thread_order.h"

#include <stdlib.h>
#include <string.h>

enum { RELEASES_MAX = 64, RELEASES_FIRST = 4 };
/* Of a release or an acquire; that of reads is one by a relaxed access. */
enum scope { SCOPE_READS, SCOPE_BLOCK, SCOPE_DEVICE, SCOPES };

/* A release shows what its thread did before time `own`, its warp before `of_warp`, and its block
 * before `of_block`, and what the thread had acquired. */
struct release {
    uint32_t clock, acquired;
    uint32_t thread;
    uint32_t own, of_warp, of_block;
    enum scope scope;
};

/* What a thread of a block that runs has seen, and what it is about to show. Times and clocks are 0
 * where there is none. */
struct thread_state {
    uint32_t acquired[SCOPES]; /* clock of the last acquire */
    uint32_t fenced[SCOPES];   /* time of the last fence, behind which it has not released */
    uint8_t loaded;            /* 1 plus the scope of a load behind which it has no fence */
};

/* A barrier with a count of threads that has not completed. */
struct meeting {
    uint32_t *came, *waits; /* [warps] lanes */
    uint32_t *time;         /* [warps] when the last of them came */
};

struct live {
    struct thread_state *threads; /* [threads] */
    uint32_t met;                 /* time of the last barrier of the whole block */
    bool has_loaded;              /* some thread has a load behind which it has no fence */
    uint32_t shown;               /* the newest clock on device scope that a releasing thread had */
    bool has_acquired;
    uint32_t *whole; /* [warps] time of the last bar.warp.sync of all lanes */
    uint32_t *lanes; /* [warps][LANES][LANES] time up to which the first has seen the second; NULL:
                        no part of a warp has met */
    uint32_t *warps; /* [warps][warps] the same for warps; NULL: none has met another */
    uint32_t *meetings; /* [BARRIERS][3][warps] (struct meeting); NULL likewise */
};

struct block_order {
    uint32_t time;
    uint32_t release_count, release_capacity;
    struct release *releases;
    struct live *live; /* NULL: it does not run */
};

struct thread_order {
    const struct launch *launch;
    struct block_order *blocks; /* [block_count] */
    uint64_t block_count;
    uint64_t running_count; /* blocks that run */
    uint32_t clock;         /* releases so far */
};

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void live_free(struct live *live)
{
    if (live != NULL) {
        free(live->threads);
        free(live->whole);
        free(live->lanes);
        free(live->warps);
        free(live->meetings);
        free(live);
    }
}

struct thread_order *thread_order_new(const struct launch *launch, uint64_t blocks)
{
    struct thread_order *order = calloc(1, sizeof *order);
    if (order == NULL) {
        return NULL;
    }
    order->launch = launch;
    order->block_count = blocks;
    order->blocks = calloc((size_t)blocks + 1, sizeof *order->blocks);
    if (order->blocks == NULL) {
        free(order);
        return NULL;
    }
    return order;
}

void thread_order_free(struct thread_order *order)
{
    if (order != NULL) {
        for (uint64_t i = 0; i < order->block_count; i++) {
            free(order->blocks[i].releases);
            live_free(order->blocks[i].live);
        }
        free(order->blocks);
        free(order);
    }
}

/* A block that runs and is known; else NULL. */
static struct block_order *running(const struct thread_order *order, uint64_t block)
{
    bool runs = order != NULL && block < order->block_count && order->blocks[block].live != NULL;
    return runs ? &order->blocks[block] : NULL;
}

uint32_t thread_order_epoch(const struct thread_order *order, uint64_t block)
{
    return block < order->block_count ? order->blocks[block].time : 0;
}

static bool shows(const struct release *release, const struct past_access *access)
{
    return access->epoch < release->of_block ||
           (access->thread == release->thread && access->epoch < release->own) ||
           (access->thread / LANES == release->thread / LANES && access->epoch < release->of_warp);
}

/* The clock of the first release that shows an access to threads in `scope` of its block: by its
 * own thread, or by one that has seen it. UINT32_MAX if there is none. */
static uint32_t shown_at(const struct block_order *block, const struct past_access *access,
                         enum scope scope)
{
    uint32_t in_block = UINT32_MAX;
    for (uint32_t i = 0; i < block->release_count; i++) {
        const struct release *release = &block->releases[i];
        bool is_of_reads = release->scope == SCOPE_READS;
        if ((!shows(release, access) && release->acquired < in_block) ||
            (is_of_reads && !access->is_read)) {
            continue;
        }
        if (release->scope >= scope || is_of_reads) {
            return release->clock;
        }
        in_block = release->clock < in_block ? release->clock : in_block;
    }
    return UINT32_MAX;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool has_met(const struct live *live, uint32_t warp_count, uint32_t thread,
                    const struct past_access *access)
{
    uint32_t warp = thread / LANES;
    uint32_t other = access->thread / LANES;
    if (access->epoch < live->met ||
        (live->warps != NULL && access->epoch < live->warps[warp * warp_count + other])) {
        return true;
    }
    const uint32_t *seen =
        live->lanes == NULL ? NULL : live->lanes + (size_t)thread * LANES + access->thread % LANES;
    return warp == other &&
           (access->epoch < live->whole[warp] || (seen != NULL && access->epoch < *seen));
}

bool thread_order_has_seen(const struct thread_order *order, uint64_t block, uint32_t thread,
                           const struct past_access *access)
{
    const struct live *live = order->blocks[block].live;
    const struct thread_state *state = &live->threads[thread];
    uint32_t of_reads = access->is_read ? state->acquired[SCOPE_READS] : 0;
    if (access->block != block) {
        uint32_t acquired = larger(state->acquired[SCOPE_DEVICE], of_reads);
        return acquired != 0 &&
               shown_at(&order->blocks[access->block], access, SCOPE_DEVICE) <= acquired;
    }
    uint32_t acquired = larger(state->acquired[SCOPE_BLOCK], state->acquired[SCOPE_DEVICE]);
    acquired = larger(acquired, of_reads);
    return access->thread == thread || has_met(live, order->launch->warp_count, thread, access) ||
           (acquired != 0 && shown_at(&order->blocks[block], access, SCOPE_BLOCK) <= acquired);
}

static struct thread_state *state_of(const struct live *live, const struct warp *warp,
                                     unsigned lane)
{
    return &live->threads[warp->index * LANES + lane];
}

bool thread_order_has_fenced(const struct thread_order *order, const struct warp *warp,
                             unsigned lane)
{
    const struct block_order *block = running(order, warp->block->linear);
    if (block == NULL) {
        return false;
    }
    const struct thread_state *state = state_of(block->live, warp, lane);
    return state->fenced[SCOPE_BLOCK] != 0 || state->fenced[SCOPE_DEVICE] != 0;
}

void thread_order_start(struct thread_order *order, uint64_t block)
{
    if (order != NULL && block < order->block_count) {
        struct live *live = allocate(1, sizeof *live);
        live->threads = allocate((size_t)order->launch->warp_count * LANES, sizeof *live->threads);
        live->whole = allocate(order->launch->warp_count, sizeof *live->whole);
        order->blocks[block].live = live;
        order->running_count++;
        order->blocks[block].time = 1;
    }
}

/* True if whoever acquires both releases sees no more by the first one. */
static bool is_behind(const struct release *first, const struct release *second)
{
    return first->thread == second->thread && first->scope <= second->scope &&
           first->own <= second->own && first->of_warp <= second->of_warp &&
           first->of_block <= second->of_block && first->acquired <= second->acquired;
}

/* Drops releases of a block that nobody can tell from later ones: all acquires are still to come.
 */
static void drop_releases(struct block_order *block)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->release_count; i++) {
        bool is_needed = true;
        for (uint32_t k = i + 1; k < block->release_count && is_needed; k++) {
            is_needed = !is_behind(&block->releases[i], &block->releases[k]);
        }
        if (is_needed) {
            block->releases[kept++] = block->releases[i];
        }
    }
    block->release_count = kept;
}

void thread_order_finish(struct thread_order *order, uint64_t number)
{
    struct block_order *block = running(order, number);
    if (block != NULL) {
        live_free(block->live);
        block->live = NULL;
        order->running_count--;
        if (order->running_count == 0) {
            drop_releases(block);
        }
    }
}

/* What some threads of a block have acquired, together. */
struct acquired {
    uint32_t clocks[SCOPES];
};

static void gather(const struct live *live, uint32_t warp, uint32_t mask, struct acquired *both)
{
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const struct thread_state *state =
            &live->threads[warp * LANES + (uint32_t)__builtin_ctz(left)];
        for (unsigned scope = 0; scope < SCOPES; scope++) {
            both->clocks[scope] = larger(both->clocks[scope], state->acquired[scope]);
        }
    }
}

static void give(struct live *live, uint32_t warp, uint32_t mask, const struct acquired *both)
{
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        struct thread_state *state = &live->threads[warp * LANES + (uint32_t)__builtin_ctz(left)];
        for (unsigned scope = 0; scope < SCOPES; scope++) {
            state->acquired[scope] = larger(both->clocks[scope], state->acquired[scope]);
        }
    }
}

static void acquire(struct thread_order *order, struct live *live, struct thread_state *state,
                    enum scope scope)
{
    state->acquired[scope] = order->clock;
    if (scope == SCOPE_BLOCK) {
        state->acquired[SCOPE_DEVICE] = larger(state->acquired[SCOPE_DEVICE], live->shown);
    }
    live->has_acquired = true;
}

/* What stands behind a load acquires what was released by then. */
static void acquire_loaded(struct thread_order *order, struct live *live,
                           struct thread_state *state, bool is_of_device)
{
    if (state->loaded != 0) {
        bool reaches = is_of_device && state->loaded == 1 + SCOPE_DEVICE;
        acquire(order, live, state, reaches ? SCOPE_DEVICE : SCOPE_BLOCK);
        state->loaded = 0;
    }
}

void thread_order_barrier(struct thread_order *order, uint64_t number)
{
    struct block_order *block = running(order, number);
    if (block == NULL) {
        return;
    }
    struct live *live = block->live;
    live->met = ++block->time;
    for (uint32_t i = 0; live->has_loaded && i < order->launch->warp_count * LANES; i++) {
        acquire_loaded(order, live, &live->threads[i], true);
    }
    live->has_loaded = false;
    if (live->has_acquired) {
        struct acquired all = {{0}};
        for (uint32_t w = 0; w < order->launch->warp_count; w++) {
            gather(live, w, ALL_LANES, &all);
        }
        for (uint32_t w = 0; w < order->launch->warp_count; w++) {
            give(live, w, ALL_LANES, &all);
        }
    }
}

/* The lanes of a warp that there are. */
static uint32_t lanes_of(const struct launch *launch, uint32_t warp)
{
    uint32_t threads = launch->threads - warp * LANES;
    return threads >= LANES ? ALL_LANES : (UINT32_C(1) << threads) - 1;
}

/* Some lanes of a warp have seen at `time` what any of them has seen. */
static void join_lanes(struct live *live, uint32_t warp, uint32_t mask, uint32_t time)
{
    uint32_t *rows = live->lanes + (size_t)warp * LANES * LANES;
    uint32_t joined[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        joined[i] = (mask >> i & 1) != 0 ? time : 0;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t *row = rows + (size_t)__builtin_ctz(left) * LANES;
        for (unsigned i = 0; i < LANES; i++) {
            joined[i] = larger(joined[i], row[i]);
        }
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        memcpy(rows + (size_t)__builtin_ctz(left) * LANES, joined, sizeof joined);
    }
}

void thread_order_warp_sync(struct thread_order *order, const struct warp *warp, uint32_t mask)
{
    struct block_order *block = running(order, warp->block->linear);
    if (block == NULL) {
        return;
    }
    struct live *live = block->live;
    uint32_t lanes = lanes_of(order->launch, warp->index);
    block->time++;
    if ((mask & lanes) == lanes) {
        live->whole[warp->index] = block->time;
    } else {
        if (live->lanes == NULL) {
            size_t rows = (size_t)order->launch->warp_count * LANES;
            live->lanes = allocate(rows * LANES, sizeof *live->lanes);
        }
        join_lanes(live, warp->index, mask & lanes, block->time);
    }
    if (live->has_acquired) {
        struct acquired all = {{0}};
        gather(live, warp->index, mask & lanes, &all);
        give(live, warp->index, mask & lanes, &all);
    }
}

static struct meeting meeting_of(const struct live *live, uint32_t barrier, uint32_t warps)
{
    uint32_t *first = live->meetings + (size_t)barrier * 3 * warps;
    return (struct meeting){first, first + warps, first + (size_t)2 * warps};
}

void thread_order_arrival(struct thread_order *order, const struct warp *warp, uint32_t barrier,
                          uint32_t mask, bool waits)
{
    struct block_order *block = running(order, warp->block->linear);
    if (block == NULL) {
        return;
    }
    struct live *live = block->live;
    uint32_t warps = order->launch->warp_count;
    if (live->meetings == NULL) {
        live->meetings = allocate((size_t)BARRIERS * 3 * warps, sizeof *live->meetings);
        live->warps = allocate((size_t)warps * warps, sizeof *live->warps);
    }
    struct meeting meeting = meeting_of(live, barrier, warps);
    meeting.came[warp->index] |= mask;
    meeting.waits[warp->index] |= waits ? mask : 0;
    meeting.time[warp->index] = ++block->time;
}

void thread_order_completion(struct thread_order *order, uint64_t number, uint32_t barrier)
{
    struct block_order *block = running(order, number);
    if (block == NULL || block->live->meetings == NULL) {
        return;
    }
    struct live *live = block->live;
    uint32_t warps = order->launch->warp_count;
    struct meeting meeting = meeting_of(live, barrier, warps);
    struct acquired all = {{0}};
    uint32_t *joined = allocate(warps, sizeof *joined);
    for (uint32_t w = 0; w < warps; w++) {
        if (meeting.came[w] != 0) {
            gather(live, w, meeting.came[w], &all);
            joined[w] = larger(joined[w], meeting.time[w]);
            for (uint32_t i = 0; i < warps; i++) {
                joined[i] = larger(joined[i], live->warps[w * warps + i]);
            }
        }
    }
    for (uint32_t w = 0; w < warps; w++) {
        for (uint32_t i = 0; i < warps && meeting.waits[w] != 0; i++) {
            uint32_t *seen = &live->warps[w * warps + i];
            *seen = larger(*seen, joined[i]);
        }
        give(live, w, meeting.waits[w], &all);
    }
    free(joined);
    memset(meeting.came, 0, (size_t)3 * warps * sizeof *meeting.came);
    block->time++;
}

/* Joins each two of the older half of the releases: the earlier one shows all that the later one's
 * block did by then. */
static void join_releases(struct block_order *block)
{
    enum { PAIRS = RELEASES_MAX / 4 };
    for (uint32_t i = 0; i < PAIRS; i++) {
        const struct release *first = &block->releases[2 * i];
        struct release joined = first[1];
        joined.clock = first->clock;
        joined.of_block = larger(larger(first->own, joined.own), joined.of_warp);
        joined.of_block = larger(joined.of_block, larger(first->of_block, first[1].of_block));
        joined.scope = first->scope > joined.scope ? first->scope : joined.scope;
        block->releases[i] = joined;
    }
    block->release_count -= PAIRS;
    memmove(block->releases + PAIRS, block->releases + (size_t)2 * PAIRS,
            (block->release_count - PAIRS) * sizeof *block->releases);
}

/* The latest time up to which a thread has seen anything of its warp, or of other warps. */
static uint32_t latest(const uint32_t *row, uint32_t count, uint32_t least)
{
    for (uint32_t i = 0; row != NULL && i < count; i++) {
        least = larger(least, row[i]);
    }
    return least;
}

static void add_release(struct thread_order *order, struct block_order *block, uint32_t thread,
                        uint32_t own, enum scope scope)
{
    struct live *live = block->live;
    uint32_t warps = order->launch->warp_count;
    uint32_t warp = thread / LANES;
    const struct thread_state *state = &live->threads[thread];
    const uint32_t *lanes = live->lanes == NULL ? NULL : live->lanes + (size_t)thread * LANES;
    const uint32_t *others = live->warps == NULL ? NULL : live->warps + (size_t)warp * warps;
    if (block->release_count == RELEASES_MAX) {
        join_releases(block);
    } else if (block->release_count == block->release_capacity) {
        uint32_t capacity =
            block->release_capacity == 0 ? RELEASES_FIRST : block->release_capacity * 2;
        block->releases = reallocarray(block->releases, capacity, sizeof *block->releases);
        if (block->releases == NULL) {
            abort();
        }
        block->release_capacity = capacity;
    }
    block->releases[block->release_count++] = (struct release){
        .clock = ++order->clock,
        .acquired = larger(state->acquired[SCOPE_BLOCK], state->acquired[SCOPE_DEVICE]),
        .thread = thread,
        .own = own,
        .of_warp = latest(lanes, LANES, live->whole[warp]),
        .of_block = latest(others, warps, live->met),
        .scope = scope,
    };
    live->shown = larger(live->shown, state->acquired[SCOPE_DEVICE]);
}

void thread_order_fence(struct thread_order *order, const struct warp *warp, uint32_t mask,
                        bool is_of_device)
{
    struct block_order *block = running(order, warp->block->linear);
    if (block == NULL) {
        return;
    }
    block->time++;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        struct thread_state *state = state_of(block->live, warp, (unsigned)__builtin_ctz(left));
        state->fenced[SCOPE_BLOCK] = block->time;
        state->fenced[SCOPE_DEVICE] = is_of_device ? block->time : state->fenced[SCOPE_DEVICE];
        acquire_loaded(order, block->live, state, is_of_device);
    }
}

/* A store or an atomic of a lane releases what comes before its fence, or before itself. */
static void release_lane(struct thread_order *order, struct block_order *block, uint32_t thread,
                         uint8_t kind)
{
    struct thread_state *state = &block->live->threads[thread];
    bool is_of_device = (kind & ORDER_DEVICE) != 0;
    if ((kind & ORDER_RELEASES) != 0) {
        add_release(order, block, thread, block->time, is_of_device ? SCOPE_DEVICE : SCOPE_BLOCK);
    } else if (is_of_device && state->fenced[SCOPE_DEVICE] != 0) {
        add_release(order, block, thread, state->fenced[SCOPE_DEVICE], SCOPE_DEVICE);
    }
    if ((kind & (ORDER_RELAXED | ORDER_RELEASES)) == ORDER_RELAXED && is_of_device) {
        add_release(order, block, thread, block->time, SCOPE_READS);
    }
    if (state->fenced[SCOPE_BLOCK] > (is_of_device ? state->fenced[SCOPE_DEVICE] : 0)) {
        add_release(order, block, thread, state->fenced[SCOPE_BLOCK], SCOPE_BLOCK);
    }
    state->fenced[SCOPE_BLOCK] = 0;
    state->fenced[SCOPE_DEVICE] = is_of_device ? 0 : state->fenced[SCOPE_DEVICE];
}

void thread_order_access(struct thread_order *order, const struct warp *warp, uint8_t kind,
                         uint32_t mask)
{
    struct block_order *block = running(order, warp->block->linear);
    if (block == NULL || kind == 0) {
        return;
    }
    block->time += (kind & (ORDER_RELEASES | ORDER_RELAXED)) != 0 ? 1 : 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t thread = warp->index * LANES + (uint32_t)__builtin_ctz(left);
        struct thread_state *state = &block->live->threads[thread];
        enum scope scope = (kind & ORDER_DEVICE) != 0 ? SCOPE_DEVICE : SCOPE_BLOCK;
        if ((kind & ORDER_STORES) != 0) {
            release_lane(order, block, thread, kind);
        }
        if ((kind & ORDER_RELAXED) != 0 && (kind & ORDER_LOADS) != 0) {
            acquire(order, block->live, state, SCOPE_READS);
        }
        if ((kind & ORDER_ACQUIRES) != 0) {
            acquire(order, block->live, state, scope);
        } else if ((kind & ORDER_LOADS) != 0 && state->loaded < 1 + scope) {
            state->loaded = (uint8_t)(1 + scope);
            block->live->has_loaded = true;
        }
    }
}
