/* stream_order.c: see stream_order.h. */
#include "device/stream_order.h"

#include <stdlib.h>
#include <string.h>

/* A chain counts so many reasons of its parts to wait, the first ones that come. */
enum { CHAIN_LINKS = 8 };

/* Work that comes one after the other, with the most bytes, and why each part waits. */
struct chain {
    uint64_t bytes;
    struct order_link links[CHAIN_LINKS];
};

/* The longest chain that comes before what comes next. */
struct chain_end {
    struct chain longest;
    struct order_link next; /* why the next work comes after the chain; NONE: the stream's order */
};

/* By stream: everything up to there comes before, and the longest chain of it. */
struct clocks {
    uint32_t at[ORDER_STREAMS_MAX];
    struct chain_end end;
    uint32_t site; /* of the last work */
};

/* A thread of the host. */
struct host_thread {
    uint32_t number;
    struct chain_end end; /* of what it has waited for */
};

struct work {
    struct order_label label;
    uint32_t stream, clock;
    struct order_bytes bytes; /* owned */
    uint64_t start, end;      /* of all of it */
};

struct stream_order {
    struct clocks streams[ORDER_STREAMS_MAX];
    bool is_blocking[ORDER_STREAMS_MAX];
    bool is_made[ORDER_STREAMS_MAX];
    bool is_used[ORDER_STREAMS_MAX];               /* since the totals began */
    uint32_t host[ORDER_STREAMS_MAX];              /* up to there the host has waited */
    struct host_thread threads[ORDER_THREADS_MAX]; /* the one that is asking comes first */
    struct clocks *events[ORDER_EVENTS_MAX];       /* NULL: never recorded; owned */
    struct work work[ORDER_WORK_MAX];              /* [count] the oldest first */
    size_t count;
    size_t ranges; /* of all work that is kept */
    struct order_totals totals;
    struct chain longest;
    uint32_t site; /* of the request in progress */
};

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);

    if (memory == NULL) {
        abort();
    }
    return memory;
}

struct stream_order *stream_order_new(void)
{
    struct stream_order *order = allocate(1, sizeof(*order));

    stream_order_make(order, ORDER_LEGACY, true);
    stream_order_make(order, ORDER_PER_THREAD, true);
    return order;
}

static size_t range_count(const struct work *work)
{
    size_t count = 0;

    for (size_t i = 0; i < ORDER_ACCESSES; i++) {
        count += work->bytes.counts[i];
    }
    return count;
}

static void forget(struct stream_order *order, const struct work *work)
{
    order->ranges -= range_count(work);
    for (size_t i = 0; i < ORDER_ACCESSES; i++) {
        free((void *)(uintptr_t)work->bytes.ranges[i]);
    }
}

void stream_order_free(struct stream_order *order)
{
    if (order == NULL) {
        return;
    }
    for (size_t i = 0; i < order->count; i++) {
        forget(order, &order->work[i]);
    }
    for (size_t i = 0; i < ORDER_EVENTS_MAX; i++) {
        free(order->events[i]);
    }
    free(order);
}

static bool is_stream(const struct stream_order *order, uint32_t stream)
{
    return stream != ORDER_NO_STREAM && stream < ORDER_STREAMS_MAX && order->is_made[stream];
}

static void join_times(uint32_t *at, const uint32_t *others)
{
    for (size_t i = 0; i < ORDER_STREAMS_MAX; i++) {
        at[i] = others[i] > at[i] ? others[i] : at[i];
    }
}

static void join_ends(struct chain_end *end, const struct chain_end *other,
                      enum order_link_kind kind, uint32_t site)
{
    if (other->longest.bytes > end->longest.bytes) {
        end->longest = other->longest;
        end->next = kind == ORDER_LINK_NONE ? other->next : (struct order_link){kind, site, 1};
    }
}

/* Sets what comes before to what has come before the others as well, by a link. */
static void join(struct clocks *clocks, const struct clocks *others, enum order_link_kind kind,
                 uint32_t site)
{
    join_times(clocks->at, others->at);
    join_ends(&clocks->end, &others->end, kind, site);
}

/* The host waits for what has come before others. */
static void join_host(struct stream_order *order, const struct clocks *others)
{
    join_times(order->host, others->at);
    join_ends(&order->threads[0].end, &others->end, ORDER_LINK_HOST, order->site);
}

void stream_order_make(struct stream_order *order, uint32_t stream, bool is_blocking)
{
    if (stream != ORDER_NO_STREAM && stream < ORDER_STREAMS_MAX) {
        order->is_made[stream] = true;
        order->is_used[stream] = false; /* an earlier one with that number was another stream */
        order->streams[stream].end = (struct chain_end){0};
        order->is_blocking[stream] = is_blocking;
    }
}

/* What the host knows, and what the rules of the default stream say, comes before what the stream
 * gets now. */
static void catch_up(struct stream_order *order, uint32_t stream)
{
    struct clocks *clocks = &order->streams[stream];

    join_times(clocks->at, order->host);
    join_ends(&clocks->end, &order->threads[0].end, ORDER_LINK_NONE, 0);
    for (uint32_t i = 0; i < ORDER_STREAMS_MAX && stream == ORDER_LEGACY; i++) {
        if (order->is_made[i] && order->is_blocking[i]) {
            join(clocks, &order->streams[i], ORDER_LINK_LEGACY, order->site);
        }
    }
    if (order->is_blocking[stream]) {
        const struct clocks *legacy = &order->streams[ORDER_LEGACY];
        join(clocks, legacy, ORDER_LINK_LEGACY, legacy->site);
    }
}

void stream_order_record(struct stream_order *order, uint32_t event, uint32_t stream)
{
    if (event >= ORDER_EVENTS_MAX || !is_stream(order, stream)) {
        return;
    }
    catch_up(order, stream);
    if (order->events[event] == NULL) {
        order->events[event] = allocate(1, sizeof(struct clocks));
    }
    *order->events[event] = order->streams[stream];
}

void stream_order_wait(struct stream_order *order, uint32_t stream, uint32_t event)
{
    if (event < ORDER_EVENTS_MAX && order->events[event] != NULL && is_stream(order, stream)) {
        join(&order->streams[stream], order->events[event], ORDER_LINK_EVENT, order->site);
    }
}

/* Forgets the work that the host has waited for: all that comes is ordered after it. */
static void retire(struct stream_order *order)
{
    size_t kept = 0;

    for (size_t i = 0; i < order->count; i++) {
        if (order->work[i].clock <= order->host[order->work[i].stream]) {
            forget(order, &order->work[i]);
        } else {
            order->work[kept++] = order->work[i];
        }
    }
    order->count = kept;
}

void stream_order_host_waits(struct stream_order *order, uint32_t stream)
{
    if (is_stream(order, stream)) {
        order->totals.host_waits++;
        catch_up(order, stream);
        join_host(order, &order->streams[stream]);
        retire(order);
    }
}

void stream_order_host_waits_event(struct stream_order *order, uint32_t event)
{
    if (event < ORDER_EVENTS_MAX && order->events[event] != NULL) {
        order->totals.host_waits++;
        join_host(order, order->events[event]);
        retire(order);
    }
}

void stream_order_host_waits_all(struct stream_order *order)
{
    order->totals.host_waits++;
    for (uint32_t i = 0; i < ORDER_STREAMS_MAX; i++) {
        if (is_stream(order, i)) {
            join_host(order, &order->streams[i]);
        }
    }
    retire(order);
}

/* The lowest range that is in both lists; false if there is none. */
static bool meet(const struct order_range *left, size_t left_count, const struct order_range *right,
                 size_t right_count, struct order_range *out_range)
{
    size_t i = 0;
    size_t k = 0;

    while (i < left_count && k < right_count) {
        const uint64_t start = left[i].start > right[k].start ? left[i].start : right[k].start;
        const uint64_t end = left[i].end < right[k].end ? left[i].end : right[k].end;

        if (start < end) {
            *out_range = (struct order_range){start, end};
            return true;
        }
        if (left[i].end < right[k].end) {
            i++;
        } else {
            k++;
        }
    }
    return false;
}

/* Whether two pieces of work touch a byte, and one of them writes it, or only one updates it. */
static bool find_conflict(const struct work *first, const struct work *second,
                          struct order_conflict *out_conflict)
{
    for (size_t pair = 0; pair < (size_t)ORDER_ACCESSES * ORDER_ACCESSES; pair++) {
        const enum order_access a = (enum order_access)(pair / ORDER_ACCESSES);
        const enum order_access b = (enum order_access)(pair % ORDER_ACCESSES);
        struct order_range range;

        if ((a != b || a == ORDER_WRITE) &&
            meet(first->bytes.ranges[a], first->bytes.counts[a], second->bytes.ranges[b],
                 second->bytes.counts[b], &range)) {
            *out_conflict = (struct order_conflict){
                .labels = {first->label, second->label},
                .streams = {first->stream, second->stream},
                .accesses = {a, b},
                .address = range.start,
                .bytes = range.end - range.start,
            };
            return true;
        }
    }
    return false;
}

static int compare_starts(const void *left, const void *right)
{
    const struct order_range *a = left, *b = right;

    return a->start < b->start ? -1 : a->start > b->start;
}

/* What work that is kept touches in [start, end) by accesses from `lowest` on; the caller's. */
static struct order_range *list_pending(const struct stream_order *order, enum order_access lowest,
                                        uint64_t start, uint64_t end, size_t *out_count)
{
    struct order_range *list = allocate(order->ranges + 1, sizeof(*list));
    size_t count = 0;

    for (size_t i = 0; i < order->count; i++) {
        const struct work *work = &order->work[i];

        for (size_t k = lowest; k < ORDER_ACCESSES && work->start < end && start < work->end; k++) {
            for (size_t r = 0; r < work->bytes.counts[k]; r++) {
                const struct order_range range = work->bytes.ranges[k][r];

                if (range.start < end && start < range.end) {
                    list[count].start = range.start > start ? range.start : start;
                    list[count++].end = range.end < end ? range.end : end;
                }
            }
        }
    }
    *out_count = count;
    return list;
}

/* The longest stretch of such work, over small gaps; false if there is none. */
static bool find_stretch(const struct stream_order *order, enum order_access lowest, uint64_t start,
                         uint64_t end, struct order_range *out_range)
{
    size_t count;
    struct order_range *list = list_pending(order, lowest, start, end, &count);
    struct order_range longest = {0, 0}, now = {0, 0};

    qsort(list, count, sizeof(*list), compare_starts);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i].start - now.start > now.end - now.start + CLIENT_ORDER_GAP) {
            now = list[i];
        } else if (list[i].end > now.end) {
            now.end = list[i].end;
        }
        longest = now.end - now.start > longest.end - longest.start ? now : longest;
    }
    free(list);
    *out_range = longest;
    return count > 0;
}

enum order_access stream_order_pending(const struct stream_order *order, uint64_t start,
                                       uint64_t end, struct order_range *out_range)
{
    /* What is updated is closed as what is written. */
    return find_stretch(order, ORDER_UPDATE, start, end, out_range) ? ORDER_WRITE
           : find_stretch(order, ORDER_READ, start, end, out_range) ? ORDER_READ
                                                                    : ORDER_ACCESSES;
}

bool stream_order_host_touches(const struct stream_order *order, uint64_t address, bool is_write,
                               struct order_conflict *out_conflict)
{
    const struct order_range byte = {address, address + 1};
    struct work host = {.label = {.is_host = true}};

    host.bytes.ranges[is_write ? ORDER_WRITE : ORDER_READ] = &byte;
    host.bytes.counts[is_write ? ORDER_WRITE : ORDER_READ] = 1;
    for (size_t i = 0; i < order->count; i++) {
        if (find_conflict(&order->work[i], &host, out_conflict)) {
            return true;
        }
    }
    return false;
}

static bool same_bytes(const struct order_bytes *left, const struct order_bytes *right)
{
    bool is_same = true;

    for (size_t i = 0; i < ORDER_ACCESSES && is_same; i++) {
        const size_t count = left->counts[i];
        is_same = count == right->counts[i] &&
                  (count == 0 || memcmp(left->ranges[i], right->ranges[i],
                                        count * sizeof(struct order_range)) == 0);
    }
    return is_same;
}

static void take_out(struct stream_order *order, size_t index)
{
    forget(order, &order->work[index]);
    order->count--;
    memmove(&order->work[index], &order->work[index + 1],
            (order->count - index) * sizeof(*order->work));
}

/* Forgets earlier work of the same kind in the stream, and the oldest while there is no room. */
static void make_room(struct stream_order *order, const struct work *next)
{
    for (size_t i = 0; i < order->count; i++) {
        const struct work *work = &order->work[i];

        if (work->stream == next->stream && work->start == next->start && work->end == next->end &&
            same_bytes(&work->bytes, &next->bytes)) {
            take_out(order, i);
            break;
        }
    }
    while (order->count == ORDER_WORK_MAX ||
           (order->count > 0 && order->ranges + range_count(next) > ORDER_KEPT_RANGES_MAX)) {
        take_out(order, 0);
    }
}

void stream_order_restart(struct stream_order *order)
{
    stream_order_host_waits_all(order);
    for (size_t i = 0; i < ORDER_STREAMS_MAX; i++) {
        order->streams[i].end = (struct chain_end){0};
        order->is_used[i] = false;
    }
    for (size_t i = 0; i < ORDER_EVENTS_MAX; i++) {
        if (order->events[i] != NULL) {
            order->events[i]->end = (struct chain_end){0};
        }
    }
    for (size_t i = 0; i < ORDER_THREADS_MAX; i++) {
        order->threads[i].end = (struct chain_end){0};
    }
    order->longest = (struct chain){0};
    memset(&order->totals, 0, sizeof(order->totals));
}

void stream_order_set_caller(struct stream_order *order, uint32_t site, uint32_t thread)
{
    size_t i = 0;

    order->site = site;
    while (i < ORDER_THREADS_MAX && order->threads[i].number != thread) {
        i++;
    }
    if (i > 0) {
        const struct host_thread asking =
            i < ORDER_THREADS_MAX ? order->threads[i] : (struct host_thread){.number = thread};
        const size_t before = i < ORDER_THREADS_MAX ? i : ORDER_THREADS_MAX - 1;
        memmove(&order->threads[1], &order->threads[0], before * sizeof(asking));
        order->threads[0] = asking;
    }
}

/* The link that holds a chain together most often. A stream's own order comes last: it is broken
 * by more streams, if nothing else links them. */
static struct order_link main_link(const struct chain *chain)
{
    struct order_link main = {ORDER_LINK_NONE, 0, 0};
    struct order_link own = main;
    uint64_t total = 0;

    for (size_t i = 0; i < CHAIN_LINKS; i++) {
        const struct order_link *link = &chain->links[i];
        struct order_link *most = link->kind == ORDER_LINK_STREAM ? &own : &main;
        total += link->count;
        *most = link->count > most->count ? *link : *most;
    }
    return main.count > 0 && main.count >= total / CHAIN_LINKS ? main : own;
}

struct order_totals stream_order_totals(const struct stream_order *order)
{
    struct order_totals totals = order->totals;

    totals.longest = order->longest.bytes;
    totals.link = main_link(&order->longest);
    return totals;
}

/* Counts a link of a chain. */
static void add_link(struct chain *chain, const struct order_link *link)
{
    for (size_t i = 0; i < CHAIN_LINKS; i++) {
        struct order_link *known = &chain->links[i];
        if (known->kind == ORDER_LINK_NONE) {
            *known = *link;
            return;
        }
        if (known->kind == link->kind && known->site == link->site) {
            known->count++;
            return;
        }
    }
}

/* Counts work, with the bytes that it touches. */
static void add_weight(struct stream_order *order, struct clocks *clocks,
                       const struct order_label *label, const struct order_bytes *bytes)
{
    uint64_t weight = 0;

    for (size_t i = 0; i < ORDER_ACCESSES; i++) {
        uint64_t touched = 0;
        for (size_t k = 0; k < bytes->counts[i] && k < ORDER_RANGES_MAX; k++) {
            touched += bytes->ranges[i][k].end - bytes->ranges[i][k].start;
        }
        weight = label->is_launch ? weight + touched : touched > weight ? touched : weight;
    }
    struct chain_end *end = &clocks->end;
    if (end->longest.bytes > 0) {
        const struct order_link own = {ORDER_LINK_STREAM, label->site, 1};
        add_link(&end->longest, end->next.kind == ORDER_LINK_NONE ? &own : &end->next);
    }
    end->next = (struct order_link){ORDER_LINK_NONE, 0, 0};
    clocks->site = label->site;
    end->longest.bytes += weight;
    order->totals.work++;
    order->totals.bytes += weight;
    if (end->longest.bytes > order->longest.bytes) {
        order->longest = end->longest;
    }
}

/* Sets start and end; false if it touches nothing, or more than is looked at. */
static bool set_extent(struct work *work)
{
    const struct order_bytes *bytes = &work->bytes;

    work->start = UINT64_MAX;
    for (size_t i = 0; i < ORDER_ACCESSES; i++) {
        const size_t count = bytes->counts[i];
        if (count > ORDER_RANGES_MAX) {
            return false;
        }
        if (count > 0) {
            const uint64_t start = bytes->ranges[i][0].start;
            const uint64_t end = bytes->ranges[i][count - 1].end;
            work->start = start < work->start ? start : work->start;
            work->end = end > work->end ? end : work->end;
        }
    }
    return work->end > 0;
}

static void keep_bytes(struct work *work)
{
    for (size_t i = 0; i < ORDER_ACCESSES; i++) {
        const size_t bytes = work->bytes.counts[i] * sizeof(struct order_range);
        struct order_range *copy = allocate(work->bytes.counts[i] + 1, sizeof(*copy));

        if (bytes > 0) {
            memcpy(copy, work->bytes.ranges[i], bytes);
        }
        work->bytes.ranges[i] = copy;
    }
}

size_t stream_order_work(struct stream_order *order, uint32_t stream,
                         const struct order_label *label, const struct order_bytes *bytes,
                         struct order_conflict *out_conflicts, size_t capacity)
{
    struct work next = {.label = *label, .stream = stream, .bytes = *bytes};
    size_t found = 0;

    if (!is_stream(order, stream)) {
        return 0;
    }
    order->site = label->site;
    catch_up(order, stream);
    struct clocks *clocks = &order->streams[stream];
    next.clock = ++clocks->at[stream];
    add_weight(order, clocks, label, bytes);
    order->totals.streams += order->is_used[stream] ? 0 : 1;
    order->is_used[stream] = true;
    if (!set_extent(&next)) {
        return 0;
    }
    for (size_t i = 0; i < order->count && found < capacity; i++) {
        const struct work *work = &order->work[i];
        if (work->clock > clocks->at[work->stream] && work->start < next.end &&
            next.start < work->end && find_conflict(work, &next, &out_conflicts[found])) {
            found++;
        }
    }
    make_room(order, &next);
    keep_bytes(&next);
    order->ranges += range_count(&next);
    order->work[order->count++] = next;
    return found;
}
