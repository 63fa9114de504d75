/* global_races.c: see global_races.h. */
#include "device/emulated/race/global_races.h"

#include "device/emulated/memory/access_counts.h"
#include "device/emulated/race/touch_watch.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELL_ACCESSES = 4,
    PAGE_WORDS = 1024,
    ACCESS_BITS = 17, /* of struct held */
    THREAD_BITS = 10,
    BLOCKS_MAX = 1 << 21,
};

/* An access that a cell holds. */
struct held {
    uint32_t block; /* linear, plus 1; 0: none */
    uint32_t epoch;
    unsigned access : ACCESS_BITS, thread : THREAD_BITS, bytes : 4, is_flag : 1;
};

struct cell {
    struct held held[CELL_ACCESSES]; /* the oldest first */
};

_Static_assert(sizeof(struct cell) == 48, "12 bytes for each byte of a word");

/* What the accesses of an op are. The lower the way, the less they race with. */
enum way { WAY_ATOMIC, WAY_ATOMIC_OF_BLOCK, WAY_VOLATILE, WAY_PLAIN };

struct global_access {
    const struct op *op; /* NULL: not seen yet */
    uint8_t way;         /* enum way */
    bool writes, compares;
    bool counts;      /* an atomic of the device that returns what the ones before it have left */
    bool waits;       /* a load in a loop that waits for what it loads */
    bool begins_swap; /* some thread reads with it what it then swaps by atom.cas */
};

struct global_races {
    const struct launch *launch;
    struct thread_order *order;
    struct cell ***pages; /* [page_count of memory->blocks[i]] pages of cells; NULL: untouched */
    size_t shadow_count;
    uint64_t block_count;           /* that are known */
    struct global_access *accesses; /* [access_count] */
    struct finding_table found;
};

/* What one request of a warp has in common. */
struct request {
    struct global_races *races;
    struct warp *warp;
    const struct op *op;
    const struct access_wish *wish;
};

static size_t page_count(const struct window_block *block)
{
    return (size_t)((block->end - block->start) / (PAGE_WORDS * 4) + 1);
}

static void races_free(struct global_races *races)
{
    if (races == NULL) {
        return;
    }
    for (size_t i = 0; races->pages != NULL && i < races->shadow_count; i++) {
        size_t count = page_count(&races->launch->memory->blocks[i]);
        for (size_t k = 0; races->pages[i] != NULL && k < count; k++) {
            free(races->pages[i][k]);
        }
        free(races->pages[i]);
    }
    finding_table_release(&races->found);
    thread_order_free(races->order);
    free(races->pages);
    free(races->accesses);
    free(races);
}

static struct global_races *races_new(const struct launch *launch)
{
    struct global_races *races = calloc(1, sizeof *races);
    if (races == NULL) {
        return NULL;
    }
    races->launch = launch;
    races->block_count = launch->blocks < BLOCKS_MAX ? launch->blocks : BLOCKS_MAX;
    races->order = thread_order_new(launch, races->block_count);
    races->shadow_count = launch->memory->block_count;
    races->pages = calloc(races->shadow_count + 1, sizeof *races->pages);
    races->accesses = calloc((size_t)launch->code->access_count + 1, sizeof *races->accesses);
    races->found.code = launch->code;
    if (races->order == NULL || races->pages == NULL || races->accesses == NULL) {
        races_free(races);
        return NULL;
    }
    return races;
}

/* True if an op leaves memory alone and does not change what another op's address is made of. */
static bool keeps_waiting(const struct op *op, const struct op *load)
{
    bool is_load = op->code == OP_LOAD_32 || op->code == OP_LOAD_64 || op->code == OP_LOAD_ANY;
    for (unsigned i = 0; is_load && i < op->count; i++) {
        if (op->slot[i] == load->slot[SLOT_ADDRESS]) {
            return false;
        }
    }
    return (is_load || !op_is_memory(op)) && op->code != OP_BARRIER &&
           op->slot[0] != load->slot[SLOT_ADDRESS];
}

/* True for a load in a short loop that stores nothing and loads from the same place each time. */
static bool waits_for(const struct kernel_code *code, const struct op *load)
{
    enum { OPS_MAX = 64 };
    size_t index = (size_t)(load - code->ops);
    for (size_t i = index + 1; i < code->op_count && i < index + OPS_MAX; i++) {
        const struct op *op = &code->ops[i];
        bool is_back = op->code == OP_BRANCH && op->target <= index;
        if (!is_back && op->code != OP_BRANCH && !keeps_waiting(op, load)) {
            return false;
        }
        for (size_t k = op->target; is_back && k < index; k++) {
            if (code->ops[k].code != OP_BRANCH && !keeps_waiting(&code->ops[k], load)) {
                return false;
            }
        }
        if (is_back) {
            return index - op->target < OPS_MAX;
        }
    }
    return false;
}

/* Looks an op up; the first time it is worked out what its accesses are. */
static struct global_access *access_of(struct global_races *races, const struct op *op)
{
    struct global_access *access = &races->accesses[op->access_index];
    if (access->op == NULL) {
        const struct ptx_instruction *source = op_source(races->launch->code, op);
        uint8_t role = races->launch->code->accesses[op->access_index].role;
        bool is_of_block = source->memory_scope == PTX_MEMORY_SCOPE_CTA;
        access->op = op;
        access->writes = (role & ROLE_WRITES) != 0;
        access->compares = (role & ROLE_COMPARES) != 0;
        access->way = (source->flags & PTX_FLAG_VOLATILE) != 0 ? WAY_VOLATILE : WAY_PLAIN;
        access->waits =
            access->way == WAY_VOLATILE && !access->writes && waits_for(races->launch->code, op);
        if ((role & ROLE_ATOMIC) != 0) {
            access->way = is_of_block ? WAY_ATOMIC_OF_BLOCK : WAY_ATOMIC;
            access->counts = !is_of_block && source->opcode == PTX_OP_ATOM;
        }
    }
    return access;
}

/* The cell of a word of a block of memory; NULL without memory. */
static struct cell *cell_of(struct global_races *races, const struct window_block *block,
                            uint64_t word)
{
    struct cell ***pages = &races->pages[block - races->launch->memory->blocks];
    if (*pages == NULL) {
        *pages = calloc(page_count(block), sizeof **pages);
    }
    if (*pages == NULL) {
        return NULL;
    }
    struct cell **page = &(*pages)[word / PAGE_WORDS];
    if (*page == NULL) {
        *page = calloc(PAGE_WORDS, sizeof **page);
    }
    return *page == NULL ? NULL : &(*page)[word % PAGE_WORDS];
}

/* True if two accesses that nothing orders race, but for the values that they write. */
static bool are_in_conflict(const struct global_races *races, const struct held *a,
                            const struct held *b)
{
    const struct global_access *first = &races->accesses[a->access];
    const struct global_access *second = &races->accesses[b->access];
    if ((a->bytes & b->bytes) == 0 || (!first->writes && !second->writes)) {
        return false;
    }
    if (first->way <= WAY_ATOMIC_OF_BLOCK && second->way <= WAY_ATOMIC_OF_BLOCK) {
        return a->block != b->block &&
               (first->way == WAY_ATOMIC_OF_BLOCK || second->way == WAY_ATOMIC_OF_BLOCK);
    }
    bool has_plain = first->way == WAY_PLAIN || second->way == WAY_PLAIN;
    return has_plain || (!a->is_flag && !b->is_flag && !first->waits && !second->waits);
}

static uint64_t stored_value(const struct request *request, unsigned lane, unsigned element)
{
    const uint8_t *slot = request->warp->file + request->op->slot[element];
    return request->op->slot_bytes == 8 ? ((const uint64_t *)(const void *)slot)[lane]
                                        : ((const uint32_t *)(const void *)slot)[lane];
}

/* True if a lane stores what another lane has just stored to the same place, or, if that is
 * LANES, what memory holds. */
static bool stores_same(const struct request *request, unsigned lane, unsigned other)
{
    const struct op *op = request->op;
    const uint8_t *host =
        window_host(request->races->launch->memory, request->wish->addresses[lane]);
    for (unsigned k = 0; k < op->count; k++) {
        uint64_t value = stored_value(request, lane, k);
        uint64_t before = 0;
        if (other < LANES) {
            before = stored_value(request, other, k);
        } else {
            memcpy(&before, host + (size_t)k * op->bytes, op->bytes);
        }
        if (memcmp(&value, &before, op->bytes) != 0) {
            return false;
        }
    }
    return true;
}

/* True if a plain store writes the value that a held one has written. */
static bool is_same_value(const struct request *request, const struct held *now,
                          const struct held *held)
{
    const struct global_access *other = &request->races->accesses[held->access];
    if (request->wish->access != FINDING_RECORD_WRITE || !other->writes ||
        other->way <= WAY_ATOMIC_OF_BLOCK) {
        return false;
    }
    unsigned lane = now->thread % LANES;
    unsigned before = held->thread % LANES;
    bool is_of_request = held->block == now->block && held->epoch == now->epoch &&
                         held->access == now->access && before < lane &&
                         held->thread / LANES == now->thread / LANES &&
                         request->wish->addresses[before] == request->wish->addresses[lane];
    return stores_same(request, lane, is_of_request ? before : LANES);
}

static bool has_seen(const struct global_races *races, const struct held *now,
                     const struct held *held)
{
    const bool is_read = !races->accesses[held->access].writes;
    const struct past_access past = {held->block - 1, held->thread, held->epoch, is_read};
    return thread_order_has_seen(races->order, now->block - 1, now->thread, &past);
}

static struct fault_place place_of(const struct global_races *races, const struct held *held)
{
    const struct global_access *access = &races->accesses[held->access];
    const uint32_t role = op_access(access->op);
    return (struct fault_place){access->op, role, held->thread, held->block};
}

static void report(const struct request *request, const struct held *now, const struct held *held,
                   uint64_t address)
{
    struct fault_place here = place_of(request->races, now);
    struct fault_place there = place_of(request->races, held);
    bool is_first = there.op <= here.op;
    const struct window_block *block = window_find(request->races->launch->memory, address);
    struct fault fault = {
        .kind = FINDING_RECORD_GLOBAL_RACE,
        .places[0] = is_first ? there : here,
        .places[1] = is_first ? here : there,
        .block = now->block - 1,
        .count = 1,
        .address = address,
        .access_bytes = request->wish->bytes,
        .object_bytes = block == NULL ? 0 : block->end - block->start,
    };
    finding_table_add(&request->races->found, &fault);
}

/* True if whatever races with the held access races with one that has seen it as well. */
static bool covers(const struct global_races *races, const struct held *now,
                   const struct held *held)
{
    const struct global_access *new = &races->accesses[now->access];
    const struct global_access *old = &races->accesses[held->access];
    return (held->bytes & ~(unsigned)now->bytes) == 0 && (new->writes || !old->writes) &&
           new->way >= old->way && (!now->is_flag || held->is_flag);
}

/* How much is lost if one of two held accesses is dropped; the lowest of all pairs goes. */
static unsigned likeness(const struct global_races *races, const struct held *a,
                         const struct held *b)
{
    const struct global_access *first = &races->accesses[a->access];
    const struct global_access *second = &races->accesses[b->access];
    bool is_alike = first->writes == second->writes && first->way == second->way;
    bool is_one_block = a->block == b->block;
    bool is_one_warp = is_one_block && a->thread / LANES == b->thread / LANES;
    return (is_alike ? 8u : 0u) + (is_one_warp ? 4u : 0u) + (is_one_block ? 2u : 0u) +
           (a->access == b->access ? 1u : 0u);
}

/* Puts an access into a full cell. The newer of the two that are most alike goes, or the newest of
 * those that were there. */
static void replace(const struct global_races *races, struct cell *cell, const struct held *now)
{
    unsigned victim = CELL_ACCESSES - 1;
    unsigned most = 0;
    for (unsigned i = 0; i < CELL_ACCESSES; i++) {
        unsigned like = likeness(races, &cell->held[i], now);
        for (unsigned k = 0; k < i; k++) {
            unsigned other = likeness(races, &cell->held[i], &cell->held[k]);
            like = other > like ? other : like;
        }
        if (like >= most) {
            most = like;
            victim = i;
        }
    }
    memmove(&cell->held[victim], &cell->held[victim + 1],
            (CELL_ACCESSES - 1 - victim) * sizeof *cell->held);
    cell->held[CELL_ACCESSES - 1] = *now;
}

/* One lane's access to one word. What a read has seen of other reads is asked when there is no more
 * room. Atomics on one word have an order, and one that returns a value knows those before it: so a
 * thread that has drawn the last ticket may set the counter back. */
static void access_word(const struct request *request, struct cell *cell, const struct held *now,
                        uint64_t address)
{
    struct global_races *races = request->races;
    const struct global_access *new = &races->accesses[now->access];
    bool asks = new->writes || cell->held[CELL_ACCESSES - 1].block != 0;
    unsigned kept = 0;
    unsigned count = 0;
    for (; count < CELL_ACCESSES && cell->held[count].block != 0; count++) {
        const struct held *held = &cell->held[count];
        struct global_access *other = &races->accesses[held->access];
        bool is_own = held->block == now->block && held->thread == now->thread;
        bool is_covered = covers(races, now, held);
        bool conflicts = !is_own && are_in_conflict(races, held, now);
        bool is_counted = new->counts && other->way == WAY_ATOMIC;
        bool is_seen = is_own || is_counted ||
                       ((conflicts || (is_covered && asks)) && has_seen(races, now, held));
        if (new->compares && is_own && !other->writes &&
            (held->bytes & ~(unsigned)now->bytes) == 0) {
            other->begins_swap = true;
        }
        if (conflicts && !is_seen && !is_same_value(request, now, held)) {
            report(request, now, held, address);
        }
        if (!is_covered || !is_seen) {
            cell->held[kept++] = *held;
        }
    }
    if (kept == CELL_ACCESSES) {
        replace(races, cell, now);
        return;
    }
    cell->held[kept] = *now;
    for (unsigned i = kept + 1; i < count; i++) {
        cell->held[i].block = 0;
    }
}

static void leave_out(const struct request *request)
{
    finding_table_leave_out(&request->races->found, FINDING_RECORD_GLOBAL_RACE, 1);
}

static void access_lane(const struct request *request, const struct window_block *block,
                        unsigned lane)
{
    uint64_t address = request->wish->addresses[lane];
    uint64_t end = address + request->wish->bytes;
    struct global_races *races = request->races;
    const struct touch_watch *touches = races->launch->touches;
    uint32_t thread = request->warp->index * LANES + lane;
    uint64_t number = request->warp->block->linear;
    bool orders = races->accesses[request->op->access_index].way != WAY_PLAIN &&
                  request->wish->access != FINDING_RECORD_READ;
    struct held now = {
        .block = (uint32_t)number + 1,
        .epoch = thread_order_epoch(races->order, number),
        .access = request->op->access_index & ((1u << ACCESS_BITS) - 1),
        .thread = thread & ((1u << THREAD_BITS) - 1),
        .is_flag = orders && (request->op->is_release ||
                              thread_order_has_fenced(races->order, request->warp, lane)),
    };
    for (uint64_t at = address; at < end;) {
        uint64_t word = (at - block->start) / 4;
        uint64_t word_end = block->start + word * 4 + 4;
        uint64_t part_end = word_end < end ? word_end : end;
        now.bytes = (((1u << (part_end - at)) - 1) << (at - block->start) % 4) & 15u;
        at = part_end;
        if (touches != NULL && !touch_word_has_met(touches, block, word)) {
            continue;
        }
        struct cell *cell = cell_of(races, block, word);
        if (cell == NULL) {
            leave_out(request);
            return;
        }
        access_word(request, cell, &now, address);
    }
}

void global_race_access(struct warp *warp, const struct op *op, uint32_t mask,
                        const struct access_wish *wish)
{
    struct global_races *races = warp->block->launch->global_races;
    const struct window_memory *memory = races->launch->memory;
    const struct request request = {races, warp, op, wish};
    const struct window_block *block = NULL;
    bool fits = warp->block->linear < races->block_count && op->access_index >> ACCESS_BITS == 0 &&
                warp->index < (1u << THREAD_BITS) / LANES;
    access_of(races, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address = wish->addresses[lane];
        if (block == NULL || address < block->start || address >= block->end) {
            block = window_find(memory, address);
        }
        if (block == NULL || block->is_constant || block->is_heap) {
            continue;
        }
        if (fits) {
            access_lane(&request, block, lane);
        } else {
            leave_out(&request);
        }
    }
}

/* True for a read that only begins a loop of compare-and-swap, beside an atomic. */
static bool is_forgiven(const struct global_races *races, const struct fault *fault)
{
    const struct fault_place *places = fault->places;
    for (unsigned i = 0; i < 2; i++) {
        if (places[1 - i].access == FINDING_RECORD_ATOMIC &&
            races->accesses[places[i].op->access_index].begins_swap) {
            return true;
        }
    }
    return false;
}

void global_races_start(struct launch *launch)
{
    launch->global_races = races_new(launch);
    launch->thread_order = launch->global_races == NULL ? NULL : launch->global_races->order;
}

void global_races_finish(struct launch *launch, struct finding_table *findings)
{
    struct global_races *races = launch->global_races;
    if (races == NULL) {
        finding_table_leave_out(findings, FINDING_RECORD_GLOBAL_RACE, 1);
        return;
    }
    const struct finding_table *found = &races->found;
    for (size_t i = 0; i < found->room.counts[FINDING_RECORD_GLOBAL_RACE]; i++) {
        const struct fault *fault = &found->faults[FINDING_RECORD_GLOBAL_RACE][i];
        if (!is_forgiven(races, fault)) {
            finding_table_add(findings, fault);
        }
    }
    finding_table_leave_out(findings, FINDING_RECORD_GLOBAL_RACE,
                            found->left_out[FINDING_RECORD_GLOBAL_RACE]);
    races_free(races);
    launch->global_races = NULL;
    launch->thread_order = NULL;
}
