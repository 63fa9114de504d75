/* race_judge.c: see race_judge.h. */
#include "device/emulated/race/race_judge.h"

#include "device/emulated/exec/launch_work.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_FIRST = 16,
    COUNTED_FIRST = 1024,
    STEPS_FREE = 64,     /* of a word, for each item: the launch is not charged with them */
    LOOK_WORK = 1 << 14, /* so often it is asked whether the launch must stop */
};

/* The word that is being judged: its items, sorted by site, then by lowest thread. */
struct judged_word {
    struct race_judge *judge;
    const struct race_order *order;
    uint32_t word;
    const struct race_item **items;
    uint32_t count;
    const struct race_item **writes; /* those of them that write, for judge_reads() */
    uint32_t write_count;
    uint64_t steps;   /* of comparing */
    uint64_t behind;  /* behind.work of the judge, when the word began */
    uint64_t charged; /* work */
};

/* Two accesses, or one. */
struct conflict {
    uint32_t threads[2];
    uint8_t bytes;
};

void race_judge_init(struct race_judge *judge, struct worker *worker)
{
    *judge = (struct race_judge){.worker = worker};
    race_behind_init(&judge->behind, worker->launch->warp_count);
    judge->set = calloc((size_t)worker->launch->warp_count + 1, sizeof *judge->set);
    if (judge->set == NULL) {
        abort();
    }
}

void race_judge_release(struct race_judge *judge)
{
    free(judge->found);
    free(judge->slots);
    free(judge->counted);
    free(judge->list);
    free(judge->set);
    race_behind_release(&judge->behind);
    *judge = (struct race_judge){0};
}

void race_judge_clear(struct race_judge *judge)
{
    if (judge->slots != NULL && judge->found_count > 0) {
        memset(judge->slots, 0, judge->slot_count * sizeof *judge->slots);
    }
    free(judge->counted);
    judge->counted = NULL;
    judge->counted_slots = 0;
    judge->counted_count = 0;
    judge->found_count = 0;
    judge->used_values = false;
    race_judge_clear_work(judge);
}

void race_judge_clear_work(struct race_judge *judge)
{
    judge->work = 0;
    judge->looked = 0;
}

/* Charges the launch; true if it must stop. */
static bool charge(struct race_judge *judge, uint64_t work)
{
    worker_add_work(judge->worker, work);
    judge->work += work;
    if (judge->work - judge->looked >= LOOK_WORK) {
        judge->looked = judge->work;
        judge->must_stop = launch_must_stop(judge->worker);
    }
    return judge->must_stop;
}

/* The same, with what a word has taken so far beyond its share. */
static bool charge_word(struct judged_word *at)
{
    uint64_t share = (uint64_t)at->count * STEPS_FREE;
    uint64_t work =
        (at->steps > share ? at->steps - share : 0) + at->judge->behind.work - at->behind;
    uint64_t added = work > at->charged ? work - at->charged : 0;
    at->charged += added;
    return added == 0 ? at->judge->must_stop : charge(at->judge, added);
}

static uint32_t slot_of(const struct race_judge *judge, const struct race_found *found)
{
    uint64_t key = ((uint64_t)found->sites[0] << 32 | found->sites[1]) + found->kind;
    uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (slot &= judge->slot_count - 1; judge->slots[slot] != 0;
         slot = (slot + 1) & (judge->slot_count - 1)) {
        const struct race_found *known = &judge->found[judge->slots[slot] - 1];
        if (known->kind == found->kind && known->sites[0] == found->sites[0] &&
            known->sites[1] == found->sites[1]) {
            break;
        }
    }
    return slot;
}

static void grow_found(struct race_judge *judge)
{
    judge->slot_count = judge->slot_count == 0 ? SLOTS_FIRST : judge->slot_count * 2;
    judge->found_capacity = judge->slot_count / 2;
    free(judge->slots);
    judge->slots = calloc(judge->slot_count, sizeof *judge->slots);
    judge->found = reallocarray(judge->found, judge->found_capacity, sizeof *judge->found);
    if (judge->slots == NULL || judge->found == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < judge->found_count; i++) {
        judge->slots[slot_of(judge, &judge->found[i])] = i + 1;
    }
}

/* Enters a word into a set of numbers; false if it is in it. */
static bool enter(uint64_t *slots, uint32_t slot_count, uint64_t number)
{
    uint32_t slot = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (slot_count - 1);
    while (slots[slot] != 0) {
        if (slots[slot] == number) {
            return false;
        }
        slot = (slot + 1) & (slot_count - 1);
    }
    slots[slot] = number;
    return true;
}

/* True if a word counts for a finding, because it has not been counted yet. */
static bool counts(struct race_judge *judge, uint32_t found, uint32_t word)
{
    uint64_t number = ((uint64_t)found << 32 | word) + 1;
    if (judge->counted == NULL) {
        return true;
    }
    if (2 * (judge->counted_count + 1) > judge->counted_slots) {
        uint32_t slot_count = judge->counted_slots * 2;
        uint64_t *slots = calloc(slot_count, sizeof *slots);
        if (slots == NULL) {
            abort();
        }
        for (uint32_t i = 0; i < judge->counted_slots; i++) {
            if (judge->counted[i] != 0) {
                enter(slots, slot_count, judge->counted[i]);
            }
        }
        free(judge->counted);
        judge->counted = slots;
        judge->counted_slots = slot_count;
    }
    bool is_new = enter(judge->counted, judge->counted_slots, number);
    judge->counted_count += is_new;
    return is_new;
}

static bool is_lower(const struct race_found *a, const struct race_found *b)
{
    uint32_t a_word = a->offset / 4;
    uint32_t b_word = b->offset / 4;
    if (a_word != b_word) {
        return a_word < b_word;
    }
    return a->threads[0] != b->threads[0] ? a->threads[0] < b->threads[0]
                                          : a->threads[1] < b->threads[1];
}

static void add_found(struct judged_word *at, uint32_t kind, const struct race_item *a,
                      const struct race_item *b, const struct conflict *conflict)
{
    struct race_judge *judge = at->judge;
    struct race_found found = {
        .kind = kind,
        .sites = {a->site, b->site},
        .threads = {conflict->threads[0], conflict->threads[1]},
        .offset = at->word * 4 + (uint32_t)__builtin_ctz(conflict->bytes),
        .words = 1,
    };
    if (judge->found_count == judge->found_capacity) {
        grow_found(judge);
    }
    uint32_t slot = slot_of(judge, &found);
    if (judge->slots[slot] == 0) {
        judge->found[judge->found_count++] = found;
        judge->slots[slot] = judge->found_count;
        counts(judge, judge->found_count - 1, at->word);
        return;
    }
    struct race_found *known = &judge->found[judge->slots[slot] - 1];
    uint64_t words = known->words + counts(judge, judge->slots[slot] - 1, at->word);
    if (is_lower(&found, known)) {
        *known = found;
    }
    known->words = words;
}

static uint32_t thread_of(const struct race_item *item, unsigned lane)
{
    return item->warp * (uint32_t)LANES + lane;
}

static uint32_t first_thread(const struct race_item *item)
{
    return thread_of(item, (unsigned)__builtin_ctz(item->lanes));
}

/* True if events may order `a` before something of `b`. */
static bool may_be_before(const struct race_order *order, const struct race_item *a,
                          const struct race_item *b)
{
    bool is_apart = a->warp != b->warp;
    return b->start == 0 && (a->start != 0 || a->event < b->event) &&
           (!is_apart || order->has_partial);
}

/* True if all lanes of their warp have met between `a` and `b`: then every lane of `b` is ordered
 * behind every lane of `a`. */
static bool is_behind_full(const struct race_order *order, const struct race_item *a,
                           const struct race_item *b)
{
    return a->warp == b->warp && b->start == 0 && b->event > 0 &&
           (a->start != 0 || a->event < b->event) && order->events[b->event - 1].full > a->event;
}

/* Lanes of `b` that are ordered behind a lane of `a`. */
static uint32_t lanes_behind(struct race_judge *judge, const struct race_order *order,
                             const struct race_item *a, unsigned lane, const struct race_item *b)
{
    if (!may_be_before(order, a, b)) {
        return 0;
    }
    if (is_behind_full(order, a, b)) {
        return b->lanes;
    }
    if (a->warp != b->warp && race_behind_is_common(&judge->behind, a)) {
        lane = (unsigned)__builtin_ctz(a->lanes); /* the same as of the others */
    }
    return b->lanes & race_behind_set(&judge->behind, a, lane, b->event)[b->warp];
}

/* Lanes of `b` that nothing orders with a lane of `a`, without that lane itself. */
static uint32_t unordered_lanes(struct judged_word *at, const struct race_item *a, unsigned lane,
                                const struct race_item *b)
{
    uint32_t lanes = b->lanes;
    lanes &= a->warp == b->warp ? ~(UINT32_C(1) << lane) : ALL_LANES;
    if (a->start != 0 && b->start != 0) {
        return 0; /* they were judged before their events were dropped */
    }
    lanes &= ~lanes_behind(at->judge, at->order, a, lane, b);
    if (may_be_before(at->order, b, a)) {
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            unsigned other = (unsigned)__builtin_ctz(left);
            if ((lanes_behind(at->judge, at->order, b, other, a) >> lane & 1) != 0) {
                lanes &= ~(left & -left);
            }
        }
    }
    return lanes;
}

/* Bytes of a word at which two accesses conflict, if they are of different threads. */
static uint8_t conflicting_bytes(struct race_judge *judge, const struct race_item *a,
                                 const struct race_item *b)
{
    uint8_t bytes = a->bytes & b->bytes;
    uint8_t both = a->role & b->role;
    bool has_write = ((a->role | b->role) & ROLE_WRITES) != 0;
    if (bytes == 0 || !has_write || (both & ROLE_ATOMIC) != 0) {
        return 0;
    }
    if (race_is_plain_write(a->role) && race_is_plain_write(b->role)) {
        uint32_t lanes = a->lanes | b->lanes;
        bool is_one_thread = a->warp == b->warp && (lanes & (lanes - 1)) == 0;
        judge->used_values = judge->used_values || !is_one_thread;
        bytes &= race_differing_bytes(a->value, b->value) | a->multi | b->multi;
    }
    return bytes;
}

/* find_lanes() for items of different warps, where `a` may be behind `b`, whose lanes have the same
 * threads behind them. */
static bool find_lane_before(struct judged_word *at, const struct race_item *a,
                             const struct race_item *b, struct conflict *out_conflict)
{
    unsigned other = (unsigned)__builtin_ctz(b->lanes);
    uint32_t lanes = a->lanes & ~lanes_behind(at->judge, at->order, b, other, a);
    if (lanes != 0) {
        out_conflict->threads[0] = thread_of(a, (unsigned)__builtin_ctz(lanes));
        out_conflict->threads[1] = thread_of(b, other);
    }
    return lanes != 0;
}

/* The lowest pair of threads of two items that conflict; false if there is none. */
static bool find_lanes(struct judged_word *at, const struct race_item *a, const struct race_item *b,
                       struct conflict *out_conflict)
{
    bool is_apart = a->warp != b->warp;
    bool is_behind = is_apart && may_be_before(at->order, b, a);
    if (is_behind && race_behind_is_common(&at->judge->behind, b)) {
        return find_lane_before(at, a, b, out_conflict);
    }
    for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t others = unordered_lanes(at, a, lane, b);
        if (others != 0) {
            out_conflict->threads[0] = thread_of(a, lane);
            out_conflict->threads[1] = thread_of(b, (unsigned)__builtin_ctz(others));
            return true;
        }
        if (is_apart && !is_behind && race_behind_is_common(&at->judge->behind, a)) {
            return false;
        }
    }
    return false;
}

static bool is_lower_pair(const struct conflict *a, const struct conflict *b)
{
    return a->threads[0] != b->threads[0] ? a->threads[0] < b->threads[0]
                                          : a->threads[1] < b->threads[1];
}

/* The items of a pair of sites: [first, end) each. */
struct site_pair {
    uint32_t first[2], end[2];
};

/* The end of the items from `first` on that are of the same warp or, with `by_thread`, have the
 * same lowest thread. */
static uint32_t run_end(const struct judged_word *at, uint32_t first, uint32_t end, bool by_thread)
{
    uint32_t last = first;
    uint32_t step = 1;
    bool grows = true;
    while (step > 0) {
        const struct race_item *item = last + step < end ? at->items[last + step] : NULL;
        bool is_same = item != NULL && item->warp == at->items[first]->warp &&
                       (!by_thread || first_thread(item) == first_thread(at->items[first]));
        last += is_same ? step : 0;
        grows = grows && is_same;
        step = grows ? step * 2 : step / 2;
    }
    return last + 1;
}

/* True if all lanes of b's warp are ordered behind those of `lanes` of a's. If it is so for one
 * place of a warp, then also for later ones of `b`, and for earlier ones of `a`. */
static bool is_all_behind(const struct judged_word *at, const struct race_item *a, uint32_t lanes,
                          const struct race_item *b)
{
    if (is_behind_full(at->order, a, b)) {
        return true;
    }
    return may_be_before(at->order, a, b) &&
           race_behind_reach(&at->judge->behind, a, lanes, b->warp) <= b->event;
}

/* Items of one lowest thread that some lane of another item may race with: [first, end), in front
 * of which those from before events were dropped lie from `kept` on. */
struct open_items {
    uint32_t kept, kept_end, first, end;
};

/* Cuts those off that are ordered as a whole, at both ends. */
static struct open_items open_items(const struct judged_word *at, const struct race_item *a,
                                    uint32_t first, uint32_t end)
{
    struct open_items open = {first, first, first, end};
    uint32_t last = end;
    while (open.first < last) {
        uint32_t middle = open.first + (last - open.first) / 2;
        bool is_kept = at->items[middle]->start != 0;
        open.first = is_kept ? middle + 1 : open.first;
        last = is_kept ? last : middle;
    }
    open.kept_end = a->start != 0 ? first : open.first;
    for (last = end; a->start == 0 && open.first < last;) {
        uint32_t middle = open.first + (last - open.first) / 2;
        bool is_past = is_all_behind(at, at->items[middle],
                                     race_order_lanes(at->order, at->items[middle]->warp), a);
        open.first = is_past ? middle + 1 : open.first;
        last = is_past ? last : middle;
    }
    for (uint32_t low = open.first; low < open.end;) {
        uint32_t middle = low + (open.end - low) / 2;
        bool is_later = is_all_behind(at, a, a->lanes, at->items[middle]);
        open.end = is_later ? middle : open.end;
        low = is_later ? low : middle + 1;
    }
    return open;
}

/* What is looked for, and has been found. */
struct search {
    bool in_one_warp;
    bool is_found;
    struct conflict lowest;
};

/* Compares an item with those of [first, end). True if one was found of their lowest threads: later
 * items have higher ones. */
static bool compare_with(struct judged_word *at, const struct race_item *a, uint32_t first,
                         uint32_t end, struct search *search)
{
    for (uint32_t k = first; k < end; k++) {
        const struct race_item *b = at->items[k];
        struct conflict conflict;
        at->steps++;
        if (is_behind_full(at->order, a, b) || is_behind_full(at->order, b, a)) {
            continue;
        }
        conflict.bytes = conflicting_bytes(at->judge, a, b);
        if (conflict.bytes == 0 || !find_lanes(at, a, b, &conflict)) {
            continue;
        }
        if (!search->is_found || is_lower_pair(&conflict, &search->lowest)) {
            search->lowest = conflict;
            search->is_found = true;
        }
        if (conflict.threads[0] == first_thread(a) && conflict.threads[1] == first_thread(b)) {
            return true;
        }
    }
    return false;
}

/* Looks for the lowest conflict between two sites, in one warp or between two. */
static void find_conflict(struct judged_word *at, const struct site_pair *pair,
                          struct search *search)
{
    for (uint32_t i = pair->first[0]; i < pair->end[0] && !charge_word(at); i++) {
        const struct race_item *a = at->items[i];
        uint32_t next = pair->first[0] == pair->first[1] ? i : pair->first[1];
        bool is_lowest = false;
        if (search->is_found && first_thread(a) > search->lowest.threads[0]) {
            break;
        }
        while (next < pair->end[1] && !is_lowest) {
            bool is_wanted = (a->warp == at->items[next]->warp) == search->in_one_warp;
            uint32_t end = run_end(at, next, pair->end[1], is_wanted);
            at->steps++;
            if (is_wanted) {
                struct open_items open = open_items(at, a, next, end);
                is_lowest = compare_with(at, a, open.kept, open.kept_end, search) ||
                            compare_with(at, a, open.first, open.end, search);
            }
            next = end;
        }
    }
}

/* True if a lane of a read does an atom.cas later on the bytes that it has read. Items of a warp
 * are added in the order of its accesses; those from before events were dropped are taken for
 * later. */
static bool is_compared(const struct race_item *read, const struct race_item *item)
{
    bool is_later = item > read || (item->start != 0 && read->start != 0);
    return (item->role & ROLE_COMPARES) != 0 && item->warp == read->warp && is_later &&
           (item->lanes & read->lanes) != 0 && (read->bytes & ~item->bytes) == 0;
}

/* True if a pair of sites is a plain read and an atomic, and the read begins a loop of
 * compare-and-swap. */
static bool begins_swap(struct judged_word *at, const struct site_pair *pair)
{
    unsigned side = (at->items[pair->first[0]]->role & ROLE_ATOMIC) != 0 ? 1 : 0;
    const struct race_item *other = at->items[pair->first[1 - side]];
    if ((at->items[pair->first[side]]->role & (ROLE_WRITES | ROLE_ATOMIC)) != 0 ||
        (other->role & ROLE_ATOMIC) == 0) {
        return false;
    }
    for (uint32_t i = pair->first[side]; i < pair->end[side] && !charge_word(at); i++) {
        at->steps += at->count;
        for (uint32_t k = 0; k < at->count; k++) {
            if (is_compared(at->items[i], at->items[k])) {
                return true;
            }
        }
    }
    return false;
}

static void judge_pair(struct judged_word *at, const struct site_pair *pair)
{
    const struct race_item *a = at->items[pair->first[0]];
    const struct race_item *b = at->items[pair->first[1]];
    struct search search = {.in_one_warp = false};
    if (((a->role | b->role) & ROLE_WRITES) == 0 || (a->role & b->role & ROLE_ATOMIC) != 0 ||
        begins_swap(at, pair)) {
        return;
    }
    find_conflict(at, pair, &search);
    if (search.is_found) {
        add_found(at, FINDING_RECORD_SHARED_RACE, a, b, &search.lowest);
        return;
    }
    search.in_one_warp = true;
    find_conflict(at, pair, &search);
    if (search.is_found) {
        add_found(at, FINDING_RECORD_WARP_RACE, a, b, &search.lowest);
    }
}

/* The part of a lane's own, or of all lanes (lane >= LANES), in what unset_bytes() asks of a write:
 * true if another thread's write of `b` is not ordered behind the read. */
static bool may_be_set(struct judged_word *at, const struct race_item *a, unsigned lane,
                       const struct race_item *b)
{
    bool is_update = (a->role & b->role & ROLE_ATOMIC) != 0 && (b->role & ROLE_FILLS) == 0;
    uint32_t others = b->lanes;
    at->steps++;
    if (is_update) {
        return false;
    }
    if (lane >= LANES) {
        return a->warp != b->warp && !may_be_before(at->order, a, b);
    }
    others &= a->warp == b->warp ? ~(UINT32_C(1) << lane) : ALL_LANES;
    return others != 0 && (others & ~lanes_behind(at->judge, at->order, a, lane, b)) != 0;
}

/* Those of `bytes` that a lane of `a` read and that nobody can have written before: every write of
 * another thread is ordered behind it. With LANES for the lane, at least those of any lane. */
static uint8_t unset_bytes(struct judged_word *at, const struct race_item *a, unsigned lane,
                           uint8_t bytes)
{
    for (uint32_t i = 0; i < at->write_count && bytes != 0; i++) {
        const struct race_item *b = at->writes[i];
        if ((bytes & b->bytes) != 0 && may_be_set(at, a, lane, b)) {
            bytes &= (uint8_t)~b->bytes;
        }
    }
    return bytes;
}

static bool judge_unset(struct judged_word *at, const struct race_item *a)
{
    uint8_t bytes = unset_bytes(at, a, LANES, a->unset);
    for (uint32_t left = a->lanes; left != 0 && bytes != 0 && !charge_word(at); left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        struct conflict conflict = {.threads = {thread_of(a, lane), thread_of(a, lane)}};
        conflict.bytes = unset_bytes(at, a, lane, bytes);
        if (conflict.bytes != 0) {
            add_found(at, FINDING_RECORD_SHARED_UNINITIALISED, a, a, &conflict);
            return true;
        }
    }
    return false;
}

/* Judges the reads of a word; a site counts once. */
static void judge_reads(struct judged_word *at)
{
    uint32_t reported = UINT32_MAX;
    at->writes = at->items + at->count;
    at->write_count = 0;
    for (uint32_t i = 0; i < at->count; i++) {
        if ((at->items[i]->role & ROLE_WRITES) != 0) {
            at->writes[at->write_count++] = at->items[i];
        }
    }
    for (uint32_t i = 0; i < at->count; i++) {
        const struct race_item *item = at->items[i];
        if (item->unset != 0 && item->site != reported && judge_unset(at, item)) {
            reported = item->site;
        }
    }
}

static int compare_items(const void *left, const void *right)
{
    const struct race_item *a = *(const struct race_item *const *)left;
    const struct race_item *b = *(const struct race_item *const *)right;
    const uint32_t keys[][2] = {{a->site, b->site},   {first_thread(a), first_thread(b)},
                                {b->start, a->start}, {a->event, b->event},
                                {a->bytes, b->bytes}, {a->value, b->value},
                                {a->multi, b->multi}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/* Gathers the items of a word. False if there is nothing to find out: no write, or one thread. */
static bool gather(struct judged_word *at, const struct race_cells *cells, bool *out_has_unset)
{
    struct race_judge *judge = at->judge;
    bool has_write = false;
    bool has_several = false;
    at->count = 0;
    *out_has_unset = false;
    for (uint32_t i = cells->heads[at->word]; i != 0; i = cells->items[i].next) {
        const struct race_item *item = &cells->items[i];
        if (item->lanes == 0) {
            continue;
        }
        if (2 * at->count >= judge->list_capacity) {
            judge->list_capacity = judge->list_capacity == 0 ? 64 : judge->list_capacity * 2;
            judge->list = reallocarray(judge->list, judge->list_capacity, sizeof *judge->list);
            if (judge->list == NULL) {
                abort();
            }
        }
        judge->list[at->count++] = item;
        has_write = has_write || (item->role & ROLE_WRITES) != 0;
        *out_has_unset = *out_has_unset || item->unset != 0;
        has_several = has_several || (item->lanes & (item->lanes - 1)) != 0 ||
                      first_thread(item) != first_thread(judge->list[0]);
    }
    at->items = judge->list;
    return has_write && has_several;
}

static void judge_word(struct judged_word *at, const struct race_cells *cells, bool is_last)
{
    bool has_unset;
    bool may_race = gather(at, cells, &has_unset);
    if (!may_race && !has_unset) {
        return;
    }
    if (at->count > 1) {
        qsort(at->items, at->count, sizeof *at->items, compare_items);
    }
    if (has_unset && is_last) {
        judge_reads(at);
    }
    struct site_pair pair = {{0, 0}, {0, 0}};
    for (; pair.first[0] < at->count && may_race; pair.first[0] = pair.end[0]) {
        uint32_t site = at->items[pair.first[0]]->site;
        for (pair.end[0] = pair.first[0];
             pair.end[0] < at->count && at->items[pair.end[0]]->site == site; pair.end[0]++) {
        }
        for (pair.first[1] = pair.first[0]; pair.first[1] < at->count;
             pair.first[1] = pair.end[1]) {
            site = at->items[pair.first[1]]->site;
            for (pair.end[1] = pair.first[1];
                 pair.end[1] < at->count && at->items[pair.end[1]]->site == site; pair.end[1]++) {
            }
            judge_pair(at, &pair);
        }
    }
}

void race_judge_cells(struct race_judge *judge, const struct race_side *side, bool is_last)
{
    if (!is_last && judge->counted == NULL) {
        judge->counted = calloc(COUNTED_FIRST, sizeof *judge->counted);
        judge->counted_slots = COUNTED_FIRST;
        if (judge->counted == NULL) {
            abort();
        }
    }
    race_behind_begin(&judge->behind, side->order);
    for (uint32_t i = 0; i < side->cells->touched_count && !judge->must_stop; i++) {
        struct judged_word at = {.judge = judge,
                                 .order = side->order,
                                 .word = side->cells->touched[i],
                                 .behind = judge->behind.work};
        judge_word(&at, side->cells, is_last);
        charge_word(&at);
    }
}

/* Adds the threads behind judge->set by the events of an interval, up to `to`. */
static void advance(struct judged_word *at, const struct race_order *order, uint32_t to)
{
    at->steps += race_order_advance(order, 0, to, at->judge->set);
}

/* True if some lane of `a` and some of `b` are of different threads, and no event orders them. */
static bool lanes_cross(struct judged_word *at, const struct race_item *a,
                        const struct race_side *after, const struct race_item *b)
{
    struct race_judge *judge = at->judge;
    bool is_apart = a->warp != b->warp;
    if (is_apart && !at->order->has_partial && !after->order->has_partial) {
        return true;
    }
    for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        memcpy(judge->set, race_behind_set(&judge->behind, a, lane, at->order->count),
               at->order->words * sizeof *judge->set);
        advance(at, after->order, b->start != 0 ? 0 : b->event);
        uint32_t own = is_apart ? 0 : UINT32_C(1) << lane;
        at->steps++;
        if ((b->lanes & ~judge->set[b->warp] & ~own) != 0) {
            return true;
        }
    }
    return false;
}

static bool word_crosses(struct judged_word *at, const struct race_side *before,
                         const struct race_side *after)
{
    const struct race_cells *first = before->cells;
    const struct race_cells *second = after->cells;
    for (uint32_t i = first->heads[at->word]; i != 0; i = first->items[i].next) {
        const struct race_item *a = &first->items[i];
        for (uint32_t k = second->heads[at->word]; k != 0; k = second->items[k].next) {
            const struct race_item *b = &second->items[k];
            at->steps++;
            at->count += i == first->heads[at->word];
            if (a->lanes != 0 && b->lanes != 0 && conflicting_bytes(at->judge, a, b) != 0 &&
                lanes_cross(at, a, after, b)) {
                return true;
            }
        }
        at->count++;
        if (charge_word(at)) {
            break;
        }
    }
    return false;
}

bool race_judge_crosses(struct race_judge *judge, const struct race_side *before,
                        const struct race_side *after)
{
    if (after->cells->heads == NULL) {
        return false;
    }
    race_behind_begin(&judge->behind, before->order);
    for (uint32_t i = 0; i < before->cells->touched_count && !judge->must_stop; i++) {
        struct judged_word at = {.judge = judge,
                                 .order = before->order,
                                 .word = before->cells->touched[i],
                                 .behind = judge->behind.work};
        if (word_crosses(&at, before, after)) {
            return true;
        }
        charge_word(&at);
    }
    return false;
}
