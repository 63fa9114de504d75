/* async_copies.c: see async_copies.h. */
#include "device/emulated/memory/async_copies.h"

#include "device/emulated/finding_table.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/race/race_watch.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 4, COPY_WORK = 8 };

/* One request of a warp. */
struct copy {
    const struct op *op;
    uint32_t mask;           /* lanes whose part is under way */
    uint64_t address[LANES]; /* as in the op's slot */
    uint32_t words[WORDS_MOST][LANES];
    uint64_t group[LANES];          /* of the lane */
    uint8_t *to[LANES];             /* where it goes; NULL: nowhere */
    uint32_t bound;                 /* lanes whose part is over but for the bytes */
    const uint8_t *mbarrier[LANES]; /* that tells of them */
};

struct copy_queue {
    struct copy *copies; /* [count], oldest first; NULL until there is one */
    uint32_t count;
    uint64_t groups[LANES]; /* that a lane has closed */
};

struct copy_queue *copy_queues_new(const struct block *block)
{
    if (!block->launch->code->has_copies) {
        return NULL;
    }
    struct copy_queue *queues = calloc(block->warp_count, sizeof *queues);
    if (queues == NULL) {
        abort();
    }
    for (uint32_t w = 0; w < block->warp_count; w++) {
        queues[w].copies = calloc(COPIES_MOST, sizeof *queues[w].copies);
        if (queues[w].copies == NULL) {
            abort();
        }
    }
    return queues;
}

void copy_queues_free(struct copy_queue *queues, uint32_t count)
{
    for (uint32_t w = 0; queues != NULL && w < count; w++) {
        free(queues[w].copies);
    }
    free(queues);
}

void copy_queues_start(struct block *block)
{
    for (uint32_t w = 0; block->copies != NULL && w < block->warp_count; w++) {
        block->copies[w].count = 0;
        memset(block->copies[w].groups, 0, sizeof block->copies[w].groups);
    }
}

static uint64_t get_address(const struct warp *warp, const struct op *op, unsigned lane)
{
    const uint8_t *slot = warp->file + op->slot[SLOT_ADDRESS];
    return op->address_is_wide ? ((const uint64_t *)(const void *)slot)[lane]
                               : ((const uint32_t *)(const void *)slot)[lane];
}

static uint32_t *word_slot(const struct warp *warp, const struct op *op, unsigned word)
{
    return (uint32_t *)(void *)(warp->file + op->slot[word]);
}

/* Puts some lanes of a copy back into the slots of its op, which nothing else uses. */
static void put_back(struct warp *warp, const struct copy *copy, uint32_t mask)
{
    uint8_t *slot = warp->file + copy->op->slot[SLOT_ADDRESS];
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (copy->op->address_is_wide) {
            ((uint64_t *)(void *)slot)[lane] = copy->address[lane];
        } else {
            ((uint32_t *)(void *)slot)[lane] = (uint32_t)copy->address[lane];
        }
        for (unsigned k = 0; k < copy->op->count; k++) {
            word_slot(warp, copy->op, k)[lane] = copy->words[k][lane];
        }
    }
}

/* Tells the watch of races that the copy may be written now; poisons its bytes. */
static void touch(struct warp *warp, struct copy *copy, bool is_new)
{
    const struct op *op = copy->op;
    uint32_t offsets[LANES];
    uint32_t valid = 0;
    for (uint32_t left = copy->mask & ~copy->bound; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t space = 0;
        uint64_t offset = 0;
        uint8_t *to = access_peek(warp, op, lane, FINDING_RECORD_WRITE, &space, &offset);
        if (to != NULL && space == PTX_SPACE_SHARED) {
            valid |= UINT32_C(1) << lane;
            offsets[lane] = (uint32_t)offset;
        }
        copy->to[lane] = to;
        if (to != NULL && is_new) {
            window_poison(to, (uint64_t)op->bytes * op->count);
        }
    }
    if (warp->worker->is_watched) {
        race_log_lanes(warp, op, valid, offsets);
    }
}

/* Some lanes of a copy make their access, as a store does, but for the bytes. */
static void access(struct warp *warp, struct copy *copy, uint32_t mask)
{
    if (mask != 0) {
        put_back(warp, copy, mask);
        access_resolve(warp, copy->op, mask, FINDING_RECORD_WRITE, copy->to);
    }
}

/* Writes the bytes of some lanes, whose access is made. */
static void land(struct copy *copy, uint32_t mask)
{
    const struct op *op = copy->op;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < op->count && copy->to[lane] != NULL; k++) {
            memcpy(copy->to[lane] + (size_t)k * op->bytes, &copy->words[k][lane], op->bytes);
        }
    }
    copy->mask &= ~mask;
    copy->bound &= ~mask;
}

static void complete(struct warp *warp, struct copy *copy, uint32_t mask)
{
    access(warp, copy, mask & ~copy->bound);
    land(copy, mask);
}

static void remove_at(struct copy_queue *queue, uint32_t index)
{
    queue->count--;
    memmove(&queue->copies[index], &queue->copies[index + 1],
            (queue->count - index) * sizeof queue->copies[0]);
}

static void remove_completed(struct copy_queue *queue)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < queue->count; i++) {
        if (queue->copies[i].mask == 0) {
            continue;
        }
        if (kept != i) {
            queue->copies[kept] = queue->copies[i];
        }
        kept++;
    }
    queue->count = kept;
}

/* Completes the copies of some lanes, but those of the `recent` groups that a lane has closed last
 * and of the open one; all if `is_all`. */
static void complete_due(struct warp *warp, uint32_t lanes, uint64_t recent, bool is_all)
{
    struct copy_queue *queue = &warp->block->copies[warp->index];
    for (uint32_t i = 0; i < queue->count; i++) {
        struct copy *copy = &queue->copies[i];
        uint32_t due = 0;
        for (uint32_t left = copy->mask & lanes; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            uint64_t closed = queue->groups[lane];
            bool is_due =
                is_all || (copy->group[lane] < closed && closed - copy->group[lane] > recent);
            due |= is_due ? UINT32_C(1) << lane : 0;
        }
        if (due != 0) {
            complete(warp, copy, due);
        }
    }
    warp->block->work += (uint64_t)queue->count * COPY_WORK;
    remove_completed(queue);
}

/* What is under way to the same bytes by the same op gives way. */
static void replace_earlier(struct copy_queue *queue, const struct copy *copy)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        const struct copy *earlier = &queue->copies[i];
        if (earlier->op == copy->op && earlier->mask == copy->mask &&
            memcmp(earlier->address, copy->address, sizeof copy->address) == 0) {
            remove_at(queue, i);
            return;
        }
    }
}

void copy_write_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct copy_queue *queue = &warp->block->copies[warp->index];
    struct copy copy = {.op = op, .mask = mask};
    if (mask == 0) {
        return;
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        copy.address[lane] = get_address(warp, op, lane);
        copy.group[lane] = queue->groups[lane];
        for (unsigned k = 0; k < op->count; k++) {
            copy.words[k][lane] = word_slot(warp, op, k)[lane];
        }
    }
    warp->block->work += queue->count;
    replace_earlier(queue, &copy);
    if (queue->count == COPIES_MOST) {
        complete(warp, &queue->copies[0], queue->copies[0].mask);
        remove_at(queue, 0);
        put_back(warp, &copy, mask); /* it may be of the same op */
    }
    touch(warp, &copy, true);
    queue->copies[queue->count++] = copy;
}

void copy_commit_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct copy_queue *queue = &warp->block->copies[warp->index];
    (void)op;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        queue->groups[__builtin_ctz(left)]++;
    }
}

void copy_wait_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    complete_due(warp, mask, op->target, op->kind != PTX_SUB_WAIT_GROUP);
}

void copies_exit(struct warp *warp, uint32_t mask)
{
    if (warp->block->copies == NULL) {
        return;
    }
    struct copy_queue *queue = &warp->block->copies[warp->index];
    for (uint32_t i = 0; i < queue->count; i++) {
        complete(warp, &queue->copies[i], queue->copies[i].mask & mask & ~queue->copies[i].bound);
    }
    warp->block->work += (uint64_t)queue->count * COPY_WORK;
    remove_completed(queue);
}

void copies_bind(struct warp *warp, uint32_t mask, uint8_t *const where[LANES])
{
    struct copy_queue *queue = &warp->block->copies[warp->index];
    for (uint32_t i = 0; i < queue->count; i++) {
        struct copy *copy = &queue->copies[i];
        uint32_t lanes = copy->mask & mask & ~copy->bound;
        access(warp, copy, lanes);
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            copy->mbarrier[lane] = where[lane];
        }
        copy->bound |= lanes;
    }
    warp->block->work += (uint64_t)queue->count * COPY_WORK;
}

void copies_land(struct block *block, const uint8_t *mbarrier)
{
    for (uint32_t w = 0; block->copies != NULL && w < block->warp_count; w++) {
        struct copy_queue *queue = &block->copies[w];
        for (uint32_t i = 0; i < queue->count; i++) {
            struct copy *copy = &queue->copies[i];
            uint32_t lanes = 0;
            for (uint32_t left = copy->bound; left != 0; left &= left - 1) {
                unsigned lane = (unsigned)__builtin_ctz(left);
                lanes |= copy->mbarrier[lane] == mbarrier ? UINT32_C(1) << lane : 0;
            }
            land(copy, lanes);
        }
        block->work += (uint64_t)queue->count * COPY_WORK;
        remove_completed(queue);
    }
}

static void report_read(struct warp *warp, const struct op *op, unsigned lane,
                        const struct fault_place *copy, uint64_t offset)
{
    const struct shared_tile *tile = race_tile_at(warp->block, offset);
    const struct fault fault = {
        .kind = FINDING_RECORD_COPY_UNDER_WAY,
        .places = {{op, FINDING_RECORD_READ, warp->index * LANES + lane, 0}, *copy},
        .block = warp->block->linear,
        .count = 1,
        .address = offset,
        .access_bytes = (uint32_t)op->bytes * op->count,
        .object = tile != NULL ? tile->name : NULL,
    };
    finding_table_add(warp->worker->findings, &fault);
}

/* The lane of a copy that has still to write some of [at, at + bytes), and that the reader can know
 * of by a wait alone; LANES if there is none. */
static unsigned lane_under_way(const struct copy *copy, uint32_t readers, const uint8_t *at,
                               uint64_t bytes)
{
    uint64_t own = (uint64_t)copy->op->bytes * copy->op->count;
    for (uint32_t left = copy->mask & (copy->bound | readers); left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const uint8_t *to = copy->to[lane];
        if (to != NULL && at < to + own && to < at + bytes) {
            return lane;
        }
    }
    return LANES;
}

void copies_check_read(struct warp *warp, const struct op *op, uint32_t mask,
                       const uint8_t *const where[LANES])
{
    struct block *block = warp->block;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct copy_queue *queue = &block->copies[w];
        for (uint32_t i = 0; i < queue->count; i++) {
            const struct copy *copy = &queue->copies[i];
            if (w != warp->index && copy->bound == 0) {
                block->work++;
                continue;
            }
            block->work += copy->bound == 0 ? (uint64_t)COPY_WORK : (uint64_t)COPY_WORK * LANES;
            for (uint32_t left = mask; left != 0; left &= left - 1) {
                unsigned lane = (unsigned)__builtin_ctz(left);
                uint32_t self = w == warp->index ? UINT32_C(1) << lane : 0;
                unsigned from =
                    where[lane] == NULL
                        ? LANES
                        : lane_under_way(copy, self, where[lane], (uint64_t)op->bytes * op->count);
                if (from < LANES) {
                    const struct fault_place place = {copy->op, FINDING_RECORD_COPY,
                                                      w * LANES + from, 0};
                    report_read(warp, op, lane, &place, (uint64_t)(where[lane] - block->shared));
                }
            }
        }
    }
}

void copies_pass_barrier(struct block *block)
{
    for (uint32_t w = 0; block->copies != NULL && w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        struct copy_queue *queue = &block->copies[w];
        for (uint32_t i = 0; i < queue->count; i++) {
            put_back(warp, &queue->copies[i], queue->copies[i].mask & ~queue->copies[i].bound);
            touch(warp, &queue->copies[i], false);
        }
        block->work += (uint64_t)queue->count * COPY_WORK;
    }
}

/* Takes `bytes` of a source that is shorter than its copy; the rest is zero. */
static void read_part(struct warp *warp, const struct op *op, unsigned lane, uint32_t bytes)
{
    uint64_t address = access_address(warp, op, lane);
    for (uint32_t i = 0; i < bytes; i++) {
        const uint8_t *from =
            access_resolve_lane(warp, op, lane, address + i, 1, FINDING_RECORD_READ);
        uint32_t byte = from != NULL ? *from : (uint8_t)POISON_WORD;
        word_slot(warp, op, i / 4)[lane] |= byte << i % 4 * 8;
    }
}

void copy_read_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const uint32_t *sizes = (const uint32_t *)(const void *)(warp->file + op->slot[5]);
    uint32_t bytes = (uint32_t)op->bytes * op->count;
    uint32_t whole = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < op->count; k++) {
            word_slot(warp, op, k)[lane] = 0;
        }
        if (sizes[lane] >= bytes) {
            whole |= UINT32_C(1) << lane;
        } else {
            read_part(warp, op, lane, sizes[lane]);
        }
    }
    if (whole != 0) {
        warp->block->launch->variant->handler(OP_LOAD_ANY)(warp, op, whole);
    }
}
