/* access_counts.h: counts what the accesses of a launch cost: bytes, sectors, wavefronts.
 *
 * Each worker counts for itself, an entry for each memory instruction (op->access_index), and sums
 * are made at the end, so nothing depends on which worker ran which block. What a request needs is
 * a function of the distances between its lanes and of where it begins within a sector
 * (access_cost.h), so it is computed once for a pattern and reused: an entry remembers its last
 * request and how often the same one was repeated, and only a different request makes it add these
 * up.
 *
 *   worker->counts -> counters[code->access_count]   for each access, barrier, branch, product
 *                     allocations                    one for each block of the window that was hit
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_COUNTS_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_COUNTS_H

#include "device/emulated/machine.h"
#include "wire/count_record.h"

/* Requests to one space. */
struct access_tally {
    uint64_t requests, lanes, bytes;
    uint64_t units, least_units; /* global: sectors; shared: wavefronts */
    uint64_t pieces;             /* shared: see struct access_cost */
};

struct branch_tally {
    uint64_t requests, lanes, divergent;
};

struct barrier_tally {
    uint64_t arrivals, lanes, passed, needed;
};

struct product_tally {
    uint64_t requests, lanes, multiply_adds;
};

enum {
    ACCESS_SPACES = COUNT_SPACE_END - 1,
    COUNTER_NUMBERS = ACCESS_SPACES * sizeof(struct access_tally) / sizeof(uint64_t)
};

/* What one op has cost so far. */
struct access_counter {
    uint64_t epoch;   /* of the pattern of the last request */
    uint64_t place;   /* where it began; see access_place() */
    uint64_t repeats; /* such requests that are not in the tallies yet */
    struct access_cost cost;
    uint8_t lanes;
    uint8_t max_degree;
    union {
        struct access_tally spaces[ACCESS_SPACES]; /* by enum count_record_space, less 1 */
        struct branch_tally branch;
        struct barrier_tally barrier;
        struct product_tally product;
        uint64_t numbers[COUNTER_NUMBERS]; /* all of them */
    };
};

/* Loads, stores and atomics of one block of the window. */
enum { ACCESS_KINDS = 3 };
struct allocation_counter {
    uint64_t start; /* device address; 0: not in use */
    struct access_tally kinds[ACCESS_KINDS];
};

struct access_counts {
    struct allocation_counter *allocations; /* [allocation_slots], found by a hash of the start */
    size_t allocation_slots, allocation_count;
    const struct kernel_code *code;
    struct access_counter counters[]; /* [code->access_count] */
};

/* Makes room for what a worker counts (worker->counts). */
void access_counts_start(struct worker *worker);
void access_counts_release(struct worker *worker);

/* Adds what a worker has counted to a sum; *into is NULL at first and owned by the caller. */
void access_counts_merge(struct access_counts **into, const struct worker *worker);
void access_counts_free(struct access_counts *counts); /* NULL is accepted */

/* Writes a sum as records: accesses, barriers, branches and products summed up by source line, then
 * allocations, each sorted; ops that never ran are left out. The array is owned by the caller and
 * freed with free(). NULL (nothing was counted) gives no records. */
struct count_record *access_counts_records(const struct access_counts *counts, size_t *out_count);

/* What the op of a load, store or atomic does to memory. */
static inline enum finding_record_access op_access(const struct op *op)
{
    switch (op->code) {
    case OP_LOAD_32:
    case OP_LOAD_64:
    case OP_LOAD_ANY:
    case OP_COPY_READ:
    case OP_TEXTURE:
    case OP_SURFACE_LOAD:
    case OP_TEXTURE_QUERY:
        return FINDING_RECORD_READ;
    case OP_ATOMIC:
    case OP_SURFACE_REDUCE:
    case OP_MBARRIER:
        return FINDING_RECORD_ATOMIC;
    default:
        return FINDING_RECORD_WRITE;
    }
}

/* See count_pattern(); adds up the last requests and begins with another one. */
void count_pattern_anew(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                        uint64_t first, const struct window_block *block);

/* The same for a request to shared memory by some of the lanes of a pattern. */
void count_part(struct warp *warp, const struct op *op, struct access_pattern *pattern,
                uint64_t first);

enum { PLACE_OF_BUNDLE = 4 }; /* in a place in shared memory: the request stands for a bundle */

/* What a request costs beyond its pattern depends on this: the block of global memory and the place
 * in a sector; of shared memory, the place in a word. Blocks start at multiples of 512. */
static inline uint64_t access_place(const struct access_pattern *pattern, uint64_t first,
                                    const struct window_block *block)
{
    const unsigned bundle = pattern->holds_bundle ? PLACE_OF_BUNDLE : 0;
    return block == NULL ? first % 4 + bundle : block->start + first % 32;
}

/* One request of a warp to shared, global or constant memory, valid as a whole: the lanes of
 * pattern->active at `first` plus pattern->delta. `block` is the global memory it goes to, NULL for
 * shared memory. The first load of a bundle that is valid as a whole counts for all of it. */
static inline void count_pattern(struct warp *warp, const struct op *op,
                                 struct access_pattern *pattern, uint64_t first,
                                 const struct window_block *block)
{
    struct access_counter *counter = &warp->worker->counts->counters[op->access_index];
    if (__builtin_expect(pattern->active != pattern->mask, 0)) {
        count_part(warp, op, pattern, first);
        return;
    }
    if (__builtin_expect(counter->epoch == pattern->epoch, 1) &&
        counter->place == access_place(pattern, first, block)) {
        counter->repeats++;
        return;
    }
    count_pattern_anew(warp, op, pattern, first, block);
}

/* One request, lane by lane: the lanes of `mask`, whose accesses were valid, in one space. */
struct op_lanes {
    uint32_t mask;
    uint8_t space;             /* enum ptx_space, after generic addresses are resolved */
    uint32_t bytes;            /* of a lane */
    const uint64_t *addresses; /* [LANES]; shared: offsets */
};
void count_lanes(struct warp *warp, const struct op *op, const struct op_lanes *request);

/* A conditional branch of a warp: `taken` of the lanes of `active` took it. */
static inline void count_branch(struct warp *warp, const struct op *op, uint32_t active,
                                uint32_t taken)
{
    struct branch_tally *branch = &warp->worker->counts->counters[op->access_index].branch;
    branch->requests++;
    branch->lanes += warp->active_count;
    branch->divergent += taken != 0 && taken != active;
}

/* A warp, or the lanes of it in `mask`, came to a barrier. */
void count_arrival(struct warp *warp, const struct op *op, uint32_t mask);

/* A product of matrices by a warp. */
static inline void count_product(struct warp *warp, const struct op *op, uint32_t mask,
                                 uint64_t multiply_adds)
{
    struct product_tally *product = &warp->worker->counts->counters[op->access_index].product;
    product->requests++;
    product->lanes += (uint32_t)__builtin_popcount(mask);
    product->multiply_adds += multiply_adds;
}

/* A barrier completed that only orders accesses; `op` is where the lowest thread waited. */
void count_passed(struct worker *worker, const struct op *op);

/* ... and without it there would have been a race; at most once for each time it was passed. */
void count_needed(struct worker *worker, const struct op *op);

#endif
