/* access_counts.c: see access_counts.h. */
#include "device/emulated/memory/access_counts.h"

#include "device/emulated/memory/access_cost.h"

#include <stdlib.h>
#include <string.h>

enum { ALLOCATION_SLOTS = 16 }; /* at first; a power of two */

static struct access_counts *counts_new(const struct kernel_code *code)
{
    size_t bytes =
        sizeof(struct access_counts) + code->access_count * sizeof(struct access_counter);
    struct access_counts *counts = calloc(1, bytes);
    if (counts == NULL) {
        abort();
    }
    counts->code = code;
    return counts;
}

void access_counts_start(struct worker *worker)
{
    worker->counts = counts_new(worker->launch->code);
}

void access_counts_free(struct access_counts *counts)
{
    if (counts != NULL) {
        free(counts->allocations);
        free(counts);
    }
}

void access_counts_release(struct worker *worker)
{
    access_counts_free(worker->counts);
    worker->counts = NULL;
}

/* The slot of a block of the window, or the free one where it belongs. */
static struct allocation_counter *find_slot(const struct access_counts *counts, uint64_t start)
{
    size_t mask = counts->allocation_slots - 1;
    size_t slot = (size_t)(start / WINDOW_ALIGNMENT * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (counts->allocations[slot].start != start && counts->allocations[slot].start != 0) {
        slot = (slot + 1) & mask;
    }
    return &counts->allocations[slot];
}

static void grow(struct access_counts *counts)
{
    struct access_counts grown = {
        .allocation_slots =
            counts->allocation_slots == 0 ? ALLOCATION_SLOTS : counts->allocation_slots * 2,
    };
    grown.allocations = calloc(grown.allocation_slots, sizeof *grown.allocations);
    if (grown.allocations == NULL) {
        abort();
    }
    for (size_t i = 0; i < counts->allocation_slots; i++) {
        if (counts->allocations[i].start != 0) {
            *find_slot(&grown, counts->allocations[i].start) = counts->allocations[i];
        }
    }
    free(counts->allocations);
    counts->allocations = grown.allocations;
    counts->allocation_slots = grown.allocation_slots;
}

static struct allocation_counter *allocation_of(struct access_counts *counts, uint64_t start)
{
    if (2 * (counts->allocation_count + 1) > counts->allocation_slots) {
        grow(counts);
    }
    struct allocation_counter *allocation = find_slot(counts, start);
    if (allocation->start == 0) {
        allocation->start = start;
        counts->allocation_count++;
    }
    return allocation;
}

/* Like requests, of as many bytes a lane. */
static void add_requests(struct access_tally *tally, uint64_t requests, uint32_t lanes,
                         uint32_t bytes, const struct access_cost *cost)
{
    tally->requests += requests;
    tally->lanes += requests * lanes;
    tally->bytes += requests * lanes * bytes;
    tally->units += requests * cost->units;
    tally->least_units += requests * cost->least_units;
    tally->pieces += requests * cost->pieces;
}

static void add_tally(struct access_tally *sum, const struct access_tally *other)
{
    sum->requests += other->requests;
    sum->lanes += other->lanes;
    sum->bytes += other->bytes;
    sum->units += other->units;
    sum->least_units += other->least_units;
    sum->pieces += other->pieces;
}

/* Requests to one block of the window. */
static void add_to_allocation(struct access_counts *counts, const struct op *op, uint64_t start,
                              const struct access_tally *requests)
{
    struct allocation_counter *allocation = allocation_of(counts, start);
    unsigned kind = (unsigned)op_access(op) - FINDING_RECORD_READ;
    add_tally(&allocation->kinds[kind], requests);
}

static void add_to_counter(struct access_counter *counter, uint64_t requests, uint32_t lanes,
                           uint32_t bytes, const struct access_cost *cost)
{
    add_requests(&counter->spaces[cost->space - 1], requests, lanes, bytes, cost);
    counter->max_degree = cost->degree > counter->max_degree ? cost->degree : counter->max_degree;
}

/* Adds requests to the counters of those that are counted with the first load of a bundle. */
static void add_to_bundle(struct access_counts *counts, const struct op *op, uint64_t requests,
                          uint32_t lanes, const struct access_cost *cost)
{
    const struct shared_access *access = &counts->code->accesses[op->access_index];
    const uint32_t bytes = (uint32_t)op->bytes * op->count;
    for (uint32_t i = 0; i < access->follower_count; i++) {
        uint32_t other = counts->code->followers[access->first_follower + i];
        add_to_counter(&counts->counters[other], requests, lanes, bytes, cost);
    }
}

/* Puts the repeated requests of an op into the tallies. */
static void add_up(struct access_counts *counts, struct access_counter *counter,
                   const struct op *op)
{
    const struct access_cost *cost = &counter->cost;
    const uint32_t bytes = (uint32_t)op->bytes * op->count;
    uint64_t requests = counter->repeats;
    if (requests == 0) {
        return;
    }
    counter->repeats = 0;
    add_to_counter(counter, requests, counter->lanes, bytes, cost);
    if (cost->space == COUNT_SPACE_SHARED) {
        if ((counter->place & PLACE_OF_BUNDLE) != 0) {
            add_to_bundle(counts, op, requests, counter->lanes, cost);
        }
    } else {
        uint64_t start = counter->place / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT;
        struct access_tally tally = {0};
        add_requests(&tally, requests, counter->lanes, bytes, cost);
        add_to_allocation(counts, op, start, &tally);
    }
}

/* What a request of some of the lanes of a pattern costs. */
static struct access_cost lanes_cost(const struct op *op, const struct access_pattern *pattern,
                                     uint32_t mask, uint64_t first, bool is_shared)
{
    uint64_t addresses[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        addresses[i] = first + (uint64_t)(int64_t)pattern->delta[i];
    }
    const struct access_lanes lanes = {
        .addresses = addresses,
        .mask = mask,
        .bytes = (uint32_t)op->bytes * op->count,
        .is_load = op_access(op) == FINDING_RECORD_READ,
    };
    return is_shared ? access_cost_shared(&lanes) : access_cost_global(&lanes);
}

static struct access_cost pattern_cost(const struct op *op, struct access_pattern *pattern,
                                       uint64_t first, bool is_shared)
{
    bool is_load = op_access(op) == FINDING_RECORD_READ;
    struct access_cost *known =
        is_shared ? &pattern->shared_costs[is_load][first % 4] : &pattern->global_costs[first % 32];
    if (known->space != COUNT_SPACE_NONE) {
        return *known;
    }
    *known = lanes_cost(op, pattern, pattern->mask, first, is_shared);
    return *known;
}

static bool is_same_cost(const struct access_cost *left, const struct access_cost *right)
{
    return left->space == right->space && left->units == right->units &&
           left->least_units == right->least_units && left->degree == right->degree &&
           left->pieces == right->pieces;
}

/* True if a request costs what the last ones of the op did, in the same block of global memory: as
 * all lanes do that go through an array together. */
static bool costs_the_same(const struct op *op, struct access_pattern *pattern,
                           const struct access_counter *counter, uint64_t first,
                           const struct window_block *block)
{
    if (block == NULL || counter->epoch != pattern->epoch ||
        pattern->cost_epoch != pattern->epoch ||
        counter->place - block->start >= WINDOW_ALIGNMENT || op->space == PTX_SPACE_CONST) {
        return false;
    }
    const struct access_cost cost = pattern_cost(op, pattern, first, false);
    return is_same_cost(&cost, &counter->cost);
}

void count_pattern_anew(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                        uint64_t first, const struct window_block *block)
{
    struct access_counts *counts = warp->worker->counts;
    struct access_counter *counter = &counts->counters[op->access_index];
    if (costs_the_same(op, pattern, counter, first, block)) {
        counter->place = access_place(pattern, first, block);
        counter->repeats++;
        return;
    }
    add_up(counts, counter, op);
    if (pattern->cost_epoch != pattern->epoch) {
        pattern->cost_epoch = pattern->epoch;
        memset(pattern->global_costs, 0, sizeof pattern->global_costs);
        memset(pattern->shared_costs, 0, sizeof pattern->shared_costs);
    }
    counter->epoch = pattern->epoch;
    counter->place = access_place(pattern, first, block);
    counter->repeats = 1;
    counter->lanes = (uint8_t)__builtin_popcount(pattern->mask);
    if (op->space == PTX_SPACE_CONST) {
        counter->cost = (struct access_cost){.space = COUNT_SPACE_CONSTANT};
    } else {
        counter->cost = pattern_cost(op, pattern, first, block == NULL);
    }
}

void count_part(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                uint64_t first)
{
    struct access_counts *counts = warp->worker->counts;
    const uint32_t bytes = (uint32_t)op->bytes * op->count;
    const uint32_t lanes = (uint32_t)__builtin_popcount(pattern->active);
    if (pattern->bank_epoch != pattern->epoch) {
        pattern->bank_epoch = pattern->epoch;
        access_bank_sets(pattern->delta, pattern->mask, &pattern->banks);
    }
    const struct access_cost cost = bytes == 4 && pattern->banks.has_own_words
                                        ? access_cost_of_words(&pattern->banks, pattern->active)
                                        : lanes_cost(op, pattern, pattern->active, first, true);
    add_to_counter(&counts->counters[op->access_index], 1, lanes, bytes, &cost);
    if (pattern->holds_bundle) {
        add_to_bundle(counts, op, 1, lanes, &cost);
    }
}

/* Lanes of one request that go to global or constant memory: a part for each block that they hit.
 * The cost of the request, whose space is set, is the sum of theirs. */
static void count_window(struct warp *warp, const struct op *op, struct access_lanes *lanes,
                         struct access_cost *cost)
{
    const struct window_memory *memory = warp->block->launch->memory;
    uint32_t left = lanes->mask;
    while (left != 0) {
        const struct window_block *block =
            window_find(memory, lanes->addresses[__builtin_ctz(left)]);
        if (block == NULL) { /* not valid after all */
            left &= left - 1;
            continue;
        }
        lanes->mask = 0;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            uint64_t address = lanes->addresses[__builtin_ctz(rest)];
            bool is_inside = address >= block->start && address < block->end;
            lanes->mask |= is_inside ? rest & -rest : 0;
        }
        left &= ~lanes->mask;
        struct access_cost part = {.space = COUNT_SPACE_CONSTANT};
        if (cost->space == COUNT_SPACE_GLOBAL) {
            part = access_cost_global(lanes);
        }
        struct access_tally tally = {0};
        add_requests(&tally, 1, (uint32_t)__builtin_popcount(lanes->mask), lanes->bytes, &part);
        add_to_allocation(warp->worker->counts, op, block->start, &tally);
        cost->units = (uint8_t)(cost->units + part.units);
        cost->least_units = (uint8_t)(cost->least_units + part.least_units);
    }
}

void count_lanes(struct warp *warp, const struct op *op, const struct op_lanes *request)
{
    struct access_counter *counter = &warp->worker->counts->counters[op->access_index];
    struct access_lanes lanes = {
        .addresses = request->addresses,
        .mask = request->mask,
        .bytes = request->bytes,
        .is_load = op_access(op) == FINDING_RECORD_READ,
        .is_atomic = op_access(op) == FINDING_RECORD_ATOMIC,
    };
    struct access_cost cost;
    switch (request->space) {
    case PTX_SPACE_SHARED:
        cost = access_cost_shared(&lanes);
        break;
    case PTX_SPACE_LOCAL:
        cost = (struct access_cost){.space = COUNT_SPACE_LOCAL};
        break;
    case PTX_SPACE_CONST:
        cost = (struct access_cost){.space = COUNT_SPACE_CONSTANT};
        count_window(warp, op, &lanes, &cost);
        break;
    default:
        cost = (struct access_cost){.space = COUNT_SPACE_GLOBAL};
        count_window(warp, op, &lanes, &cost);
        break;
    }
    add_to_counter(counter, 1, (uint32_t)__builtin_popcount(request->mask), request->bytes, &cost);
}

void count_arrival(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct barrier_tally *barrier = &warp->worker->counts->counters[op->access_index].barrier;
    barrier->arrivals++;
    barrier->lanes += (uint32_t)__builtin_popcount(mask);
}

void count_passed(struct worker *worker, const struct op *op)
{
    worker->counts->counters[op->access_index].barrier.passed++;
}

void count_needed(struct worker *worker, const struct op *op)
{
    worker->counts->counters[op->access_index].barrier.needed++;
}

static void merge_allocations(struct access_counts *into, const struct access_counts *from)
{
    for (size_t i = 0; i < from->allocation_slots; i++) {
        const struct allocation_counter *source = &from->allocations[i];
        if (source->start == 0) {
            continue;
        }
        struct allocation_counter *sum = allocation_of(into, source->start);
        for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
            add_tally(&sum->kinds[kind], &source->kinds[kind]);
        }
    }
}

void access_counts_merge(struct access_counts **into, const struct worker *worker)
{
    struct access_counts *counts = worker->counts;
    if (counts == NULL) {
        return;
    }
    const struct kernel_code *code = counts->code;
    if (*into == NULL) {
        *into = counts_new(code);
    }
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (!op_is_counted(op)) {
            continue;
        }
        struct access_counter *counter = &counts->counters[op->access_index];
        struct access_counter *sum = &(*into)->counters[op->access_index];
        add_up(counts, counter, op);
        for (unsigned k = 0; k < COUNTER_NUMBERS; k++) {
            sum->numbers[k] += counter->numbers[k];
        }
        sum->max_degree =
            counter->max_degree > sum->max_degree ? counter->max_degree : sum->max_degree;
    }
    merge_allocations(*into, counts);
}
