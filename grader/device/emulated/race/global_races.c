/* global_races.c: see global_races.h. */
#include "device/emulated/race/global_races.h"

#include "device/emulated/finding_table.h"

#include <stdlib.h>
#include <string.h>

/* Fields of a cell, from the lowest bit. */
enum {
    CELL_ATOMIC_BITS = 1,
    CELL_BYTES_BITS = 4,
    CELL_EPOCH_BITS = 12,
    CELL_ACCESS_BITS = 16,
    CELL_THREAD_BITS = 10,
    CELL_BLOCK_BITS = 21,
};

enum {
    EPOCH_MASK = (1 << CELL_EPOCH_BITS) - 1,
    RELEASES_FIRST = 4,
    RELEASES_MANY = 64, /* from so many on it is asked which of them matter */
};

struct cell {
    uint64_t writer, reader;
};

/* What of an epoch a cell has no room for. */
struct cell_rest {
    uint32_t writer, reader;
};

/* Of a block of memory. */
struct shadow {
    struct cell *cells;      /* NULL until the first access */
    struct cell_rest *rests; /* NULL until an epoch needs it */
    size_t words;
};

/* The last writer or a reader of a word. */
struct held {
    uint64_t *bits;
    uint32_t *rest; /* NULL: it is 0 */
};

/* An access, as a cell holds it. */
struct cell_access {
    uint64_t block;
    uint32_t thread, access_index, epoch, bytes;
    bool is_atomic;
};

/* One release of a block: what the block did until the end of `epoch` is published at `clock`. */
struct release {
    uint32_t epoch;
    uint64_t clock;
};

/* How one block of the grid synchronises with others. */
struct block_order {
    uint32_t epoch;
    uint64_t acquired; /* clock of its last acquire */
    struct release *releases;
    size_t release_count, release_capacity;
};

struct global_races {
    const struct launch *launch;
    struct shadow *shadows; /* [memory->block_count] */
    size_t shadow_count;
    struct block_order *orders; /* [order_count] by linear block number */
    uint64_t order_count;
    const struct op **ops; /* [access_count] */
    uint64_t clock;        /* releases so far */
};

/* What one request of a warp has in common. */
struct request {
    struct global_races *races;
    struct warp *warp;
    const struct op *op;
    enum finding_record_access access;
};

struct global_races *global_races_new(const struct launch *launch)
{
    struct global_races *races = calloc(1, sizeof *races);
    uint64_t most = UINT64_C(1) << CELL_BLOCK_BITS;
    if (races == NULL) {
        return NULL;
    }
    races->launch = launch;
    races->shadow_count = launch->memory->block_count;
    races->order_count = launch->blocks < most ? launch->blocks : most;
    races->shadows = calloc(races->shadow_count + 1, sizeof *races->shadows);
    races->orders = calloc((size_t)races->order_count + 1, sizeof *races->orders);
    races->ops = calloc((size_t)launch->code->access_count + 1, sizeof *races->ops);
    if (races->shadows == NULL || races->orders == NULL || races->ops == NULL) {
        global_races_free(races);
        return NULL;
    }
    return races;
}

void global_races_free(struct global_races *races)
{
    if (races == NULL) {
        return;
    }
    for (size_t i = 0; races->shadows != NULL && i < races->shadow_count; i++) {
        free(races->shadows[i].cells);
        free(races->shadows[i].rests);
    }
    for (uint64_t i = 0; races->orders != NULL && i < races->order_count; i++) {
        free(races->orders[i].releases);
    }
    free(races->shadows);
    free(races->orders);
    free(races->ops);
    free(races);
}

static uint64_t cell_pack(const struct cell_access *access)
{
    uint64_t bits = access->block;
    bits = bits << CELL_THREAD_BITS | access->thread;
    bits = bits << CELL_ACCESS_BITS | access->access_index;
    bits = bits << CELL_EPOCH_BITS | (access->epoch & EPOCH_MASK);
    bits = bits << CELL_BYTES_BITS | access->bytes;
    return bits << CELL_ATOMIC_BITS | access->is_atomic;
}

static uint32_t take_bits(uint64_t *bits, unsigned count)
{
    uint32_t field = (uint32_t)(*bits & ((UINT64_C(1) << count) - 1));
    *bits >>= count;
    return field;
}

static struct cell_access cell_unpack(const struct held *held)
{
    struct cell_access access;
    uint64_t bits = *held->bits;
    access.is_atomic = take_bits(&bits, CELL_ATOMIC_BITS) != 0;
    access.bytes = take_bits(&bits, CELL_BYTES_BITS);
    access.epoch = take_bits(&bits, CELL_EPOCH_BITS);
    access.access_index = take_bits(&bits, CELL_ACCESS_BITS);
    access.thread = take_bits(&bits, CELL_THREAD_BITS);
    access.block = bits;
    access.epoch |= held->rest == NULL ? 0 : *held->rest << CELL_EPOCH_BITS;
    return access;
}

static void hold(const struct held *held, const struct cell_access *access)
{
    *held->bits = cell_pack(access);
    if (held->rest != NULL) {
        *held->rest = access->epoch >> CELL_EPOCH_BITS;
    }
}

/* True if the numbers of an access fit into a cell. */
static bool fits_cell(const struct cell_access *access)
{
    return access->block < UINT64_C(1) << CELL_BLOCK_BITS &&
           access->thread < UINT32_C(1) << CELL_THREAD_BITS &&
           access->access_index < UINT32_C(1) << CELL_ACCESS_BITS;
}

/* The shadow of a block of memory, for an access in an epoch; NULL without memory. */
static struct shadow *shadow_of(struct global_races *races, const struct window_block *block,
                                uint32_t epoch)
{
    struct shadow *shadow = &races->shadows[block - races->launch->memory->blocks];
    if (shadow->cells == NULL) {
        shadow->words = (size_t)((block->end - block->start + 3) / 4);
        shadow->cells = calloc(shadow->words, sizeof *shadow->cells);
    }
    if (shadow->cells != NULL && epoch > EPOCH_MASK && shadow->rests == NULL) {
        shadow->rests = calloc(shadow->words, sizeof *shadow->rests);
    }
    bool is_made = shadow->cells != NULL && (epoch <= EPOCH_MASK || shadow->rests != NULL);
    return is_made ? shadow : NULL;
}

/* True if a release of the earlier block, after the access, was acquired by the later one. */
static bool is_published(const struct global_races *races, const struct cell_access *earlier,
                         const struct cell_access *later)
{
    const struct block_order *from = &races->orders[earlier->block];
    const struct block_order *to = &races->orders[later->block];
    size_t low = 0;
    size_t high = from->release_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (from->releases[middle].epoch < earlier->epoch) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < from->release_count && from->releases[low].clock <= to->acquired;
}

static bool is_ordered(const struct global_races *races, const struct cell_access *earlier,
                       const struct cell_access *later)
{
    if (earlier->block == later->block) {
        return earlier->epoch != later->epoch || earlier->thread / LANES == later->thread / LANES;
    }
    return is_published(races, earlier, later);
}

static uint32_t access_of(bool is_atomic, bool is_write)
{
    if (is_atomic) {
        return FINDING_RECORD_ATOMIC;
    }
    return is_write ? FINDING_RECORD_WRITE : FINDING_RECORD_READ;
}

/* Compares an access with one that a cell holds; reports if they race. */
static void check(const struct request *request, const struct cell_access *now,
                  const struct held *held, bool held_is_writer, uint64_t address)
{
    struct global_races *races = request->races;
    if (*held->bits == 0) {
        return;
    }
    struct cell_access earlier = cell_unpack(held);
    if ((earlier.bytes & now->bytes) == 0 || (earlier.is_atomic && now->is_atomic) ||
        is_ordered(races, &earlier, now)) {
        return;
    }
    const struct op *other = races->ops[earlier.access_index];
    struct fault_place here = {request->op, request->access, now->thread, now->block + 1};
    struct fault_place there = {other, access_of(earlier.is_atomic, held_is_writer), earlier.thread,
                                earlier.block + 1};
    bool is_first = other <= request->op;
    struct fault fault = {
        .kind = FINDING_RECORD_GLOBAL_RACE,
        .places[0] = is_first ? there : here,
        .places[1] = is_first ? here : there,
        .block = now->block,
        .count = 1,
        .address = address,
        .access_bytes = (uint32_t)request->op->bytes * request->op->count,
    };
    finding_table_add(request->warp->worker->findings, &fault);
}

/* True if the store of a lane would change the bytes at `host`. */
static bool store_changes(const struct request *request, unsigned lane, const uint8_t *host)
{
    const struct op *op = request->op;
    if (request->access != FINDING_RECORD_WRITE) {
        return true;
    }
    for (unsigned k = 0; k < op->count; k++) {
        const uint8_t *slot = request->warp->file + op->slot[k];
        uint64_t value = op->slot_bytes == 8 ? ((const uint64_t *)(const void *)slot)[lane]
                                             : ((const uint32_t *)(const void *)slot)[lane];
        if (memcmp(host + (size_t)k * op->bytes, &value, op->bytes) != 0) {
            return true;
        }
    }
    return false;
}

/* One lane's access to one word. */
static void access_word(const struct request *request, struct shadow *shadow, uint64_t word,
                        const struct cell_access *now, uint64_t address, bool changes)
{
    struct cell *cell = &shadow->cells[word];
    struct cell_rest *rest = shadow->rests == NULL ? NULL : &shadow->rests[word];
    const struct held writer = {&cell->writer, rest == NULL ? NULL : &rest->writer};
    const struct held reader = {&cell->reader, rest == NULL ? NULL : &rest->reader};
    bool is_write = request->access != FINDING_RECORD_READ;
    if (!is_write || changes) {
        check(request, now, &writer, true, address);
    }
    if (!is_write) {
        if (cell->reader == 0 || cell_unpack(&reader).block == now->block) {
            hold(&reader, now);
        }
        return;
    }
    if (changes) {
        check(request, now, &reader, false, address);
    }
    hold(&writer, now);
}

static void access_lane(const struct request *request, unsigned lane, uint64_t address)
{
    struct global_races *races = request->races;
    const struct window_memory *memory = races->launch->memory;
    const struct window_block *block = window_find(memory, address);
    uint64_t bytes = (uint64_t)request->op->bytes * request->op->count;
    struct cell_access now = {
        .block = request->warp->block->linear,
        .thread = request->warp->index * LANES + lane,
        .access_index = request->op->access_index,
        .is_atomic = request->access == FINDING_RECORD_ATOMIC,
    };
    if (block == NULL || block->is_constant || bytes > block->end - address) {
        return;
    }
    bool is_known = now.block < races->order_count;
    now.epoch = is_known ? races->orders[now.block].epoch : 0;
    struct shadow *shadow = shadow_of(races, block, now.epoch);
    if (shadow == NULL || !is_known || !fits_cell(&now)) {
        finding_table_leave_out(request->warp->worker->findings, FINDING_RECORD_GLOBAL_RACE, 1);
        return;
    }
    races->ops[now.access_index] = request->op;
    bool changes = store_changes(request, lane, window_host(memory, address));
    for (uint64_t at = address; at < address + bytes;) {
        uint64_t word = (at - block->start) / 4;
        uint64_t word_end = block->start + word * 4 + 4;
        uint64_t end = word_end < address + bytes ? word_end : address + bytes;
        uint32_t first_byte = (uint32_t)((at - block->start) % 4);
        now.bytes = ((UINT32_C(1) << (end - at)) - 1) << first_byte;
        access_word(request, shadow, word, &now, address, changes);
        at = end;
    }
}

static int compare_clocks(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Drops the releases of a block that make no difference to anyone: an acquire from now on is behind
 * all of them, so two in a row differ only for a block that acquired last between them. */
static void drop_releases(const struct global_races *races, struct block_order *order)
{
    uint64_t *acquired = calloc((size_t)races->order_count, sizeof *acquired);
    size_t kept = 0;
    size_t next = 0;
    if (acquired == NULL) {
        return;
    }
    for (uint64_t i = 0; i < races->order_count; i++) {
        acquired[i] = races->orders[i].acquired;
    }
    qsort(acquired, (size_t)races->order_count, sizeof *acquired, compare_clocks);
    for (size_t i = 0; i < order->release_count; i++) {
        const struct release *release = &order->releases[i];
        while (next < races->order_count && acquired[next] < release->clock) {
            next++;
        }
        bool is_last = i + 1 == order->release_count;
        if (is_last || (next < races->order_count && acquired[next] < release[1].clock)) {
            order->releases[kept++] = *release;
        }
    }
    order->release_count = kept;
    free(acquired);
}

/* A release ends the epoch of its block. */
static void release(struct global_races *races, struct block_order *order)
{
    bool is_full = order->release_count == order->release_capacity;
    if (is_full && order->release_count >= RELEASES_MANY &&
        order->release_count >= races->order_count) {
        drop_releases(races, order);
    }
    if (is_full && 2 * order->release_count >= order->release_capacity) {
        size_t capacity =
            order->release_capacity == 0 ? RELEASES_FIRST : order->release_capacity * 2;
        struct release *grown = reallocarray(order->releases, capacity, sizeof *grown);
        if (grown == NULL) {
            abort();
        }
        order->releases = grown;
        order->release_capacity = capacity;
    }
    order->releases[order->release_count++] = (struct release){order->epoch, ++races->clock};
    order->epoch++;
}

/* Atomics and ordered accesses publish what was fenced, and see what others have published. */
static void synchronise(const struct request *request)
{
    struct global_races *races = request->races;
    uint64_t linear = request->warp->block->linear;
    bool is_atomic = request->access == FINDING_RECORD_ATOMIC;
    if (linear >= races->order_count || (!is_atomic && !request->op->is_ordered)) {
        return;
    }
    struct block_order *order = &races->orders[linear];
    bool writes = request->access != FINDING_RECORD_READ;
    bool reads = request->access != FINDING_RECORD_WRITE;
    if (writes && (request->warp->has_fenced || request->op->is_release)) {
        release(races, order);
    }
    if (reads) {
        order->acquired = races->clock;
    }
}

void global_race_access(struct warp *warp, const struct op *op, uint32_t mask,
                        const uint64_t addresses[LANES], enum finding_record_access access)
{
    struct request request = {warp->block->launch->global_races, warp, op, access};
    for (uint32_t left = mask; left != 0 && !op->is_ordered; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        access_lane(&request, lane, addresses[lane]);
    }
    synchronise(&request);
}

void global_race_barrier(struct block *block)
{
    struct global_races *races = block->launch->global_races;
    if (block->linear < races->order_count) {
        races->orders[block->linear].epoch++;
    }
}
