/* test_race_judge.c: the judge of races against one that compares every access with every other. */
#include "base/rng.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/race/race_judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WARPS = 3,
    WORDS_OF_SET = WARPS + 1,
    THREADS = 2 * LANES + 5,
    STEPS = 40,
    WORDS = 2,
    SITES = 5,
    ROUNDS = 1000,
};

static const uint8_t roles[SITES] = {
    ROLE_READS,
    ROLE_WRITES | ROLE_FILLS,
    ROLE_WRITES | ROLE_FILLS,
    ROLE_READS | ROLE_WRITES | ROLE_ATOMIC,
    ROLE_WRITES | ROLE_ATOMIC | ROLE_FILLS,
};

/* One access of several lanes of a warp. */
struct access {
    struct race_item item;
    uint32_t word, event; /* of `all` */
};

struct history {
    struct rng rng;
    struct race_order now, all; /* since events were dropped, and from the beginning */
    struct race_cells cells;
    struct access accesses[STEPS];
    unsigned access_count;
    uint32_t events_now[WARPS], events_all[WARPS], full[WARPS];
    bool has_dropped;
};

static uint32_t draw(struct history *history, uint32_t count)
{
    return (uint32_t)(rng_next(&history->rng) % count);
}

static uint32_t lanes_of(uint32_t warp)
{
    return warp + 1 < WARPS ? ALL_LANES : ALL_LANES >> (WARPS * LANES - THREADS);
}

/* Mostly all lanes, else one or two. */
static uint32_t draw_lanes(struct history *history, uint32_t warp)
{
    uint32_t lanes = UINT32_C(1) << draw(history, 5) | UINT32_C(1) << draw(history, 5);
    return draw(history, 3) != 0 ? lanes_of(warp) : lanes;
}

static void add_event(struct history *history)
{
    uint32_t warp = draw(history, WARPS);
    struct race_event event = {
        .kind = (uint8_t)draw(history, 5), .warp = warp, .mask = draw_lanes(history, warp)};
    struct race_event later = event;
    if (event.kind == RACE_COMPLETION) {
        uint32_t waited[WORDS_OF_SET] = {0};
        for (uint32_t w = 0; w < WARPS; w++) {
            waited[w] = draw(history, 2) == 0 ? draw_lanes(history, w) : 0;
        }
        event.warp = later.warp = 0;
        event.mask = race_order_keep(&history->all, waited);
        later.mask = race_order_keep(&history->now, waited);
        for (uint32_t w = 0; w < WARPS; w++) {
            history->events_all[w] =
                waited[w] != 0 ? history->all.count + 1 : history->events_all[w];
            history->events_now[w] =
                waited[w] != 0 ? history->now.count + 1 : history->events_now[w];
        }
    } else {
        bool is_full = event.kind == RACE_WARP_SYNC && event.mask == lanes_of(warp);
        history->events_all[warp] = history->all.count + 1;
        history->events_now[warp] = history->now.count + 1;
        history->full[warp] = is_full ? history->events_now[warp] : history->full[warp];
        later.full = event.kind == RACE_ARRIVAL ? 0 : history->full[warp];
    }
    race_order_add(&history->all, event);
    race_order_add(&history->now, later);
}

static void add_access(struct history *history)
{
    uint32_t warp = draw(history, WARPS);
    struct access *access = &history->accesses[history->access_count++];
    uint32_t site = draw(history, SITES);
    access->word = draw(history, WORDS);
    access->event = history->events_all[warp];
    access->item = (struct race_item){.site = site,
                                      .lanes = draw_lanes(history, warp),
                                      .event = history->events_now[warp],
                                      .warp = (uint16_t)warp,
                                      .role = roles[site],
                                      .bytes = (uint8_t)(draw(history, 2) == 0 ? 15 : 3)};
    if (race_is_plain_write(access->item.role)) {
        access->item.value = draw(history, 2) == 0 ? 0 : draw(history, 3) << 12;
        access->item.value &= race_byte_bits(access->item.bytes);
    }
    access->item.unset = (access->item.role & ROLE_READS) != 0 ? access->item.bytes : 0;
    race_cells_add(&history->cells, access->word, &access->item);
}

static void drop(struct history *history, struct race_judge *judge)
{
    const struct race_side side = {&history->cells, &history->now};
    race_judge_cells(judge, &side, false);
    race_cells_drop_events(&history->cells, &history->now);
    memset(history->events_now, 0, sizeof history->events_now);
    memset(history->full, 0, sizeof history->full);
    history->has_dropped = true;
}

/* True if a lane's access is ordered before another one's. */
static bool is_before(const struct history *history, const struct access *a, unsigned lane,
                      const struct access *b, unsigned other)
{
    uint32_t set[WORDS_OF_SET] = {0};
    if (a->event >= b->event) {
        return false;
    }
    set[a->item.warp] = UINT32_C(1) << lane;
    race_order_advance(&history->all, a->event, b->event, set);
    return (set[b->item.warp] >> other & 1) != 0;
}

/* True if accesses of two threads race, wherever they are in the order. */
static bool do_conflict(const struct race_item *a, const struct race_item *b)
{
    uint8_t bytes = a->bytes & b->bytes;
    if (((a->role | b->role) & ROLE_WRITES) == 0 || (a->role & b->role & ROLE_ATOMIC) != 0) {
        return false;
    }
    if (race_is_plain_write(a->role) && race_is_plain_write(b->role)) {
        bytes &= race_differing_bytes(a->value, b->value);
    }
    return bytes != 0;
}

/* Of a word and two sites, the lowest threads that race, the first one of the lower site. */
struct naive {
    bool is_found;
    uint32_t threads[2];
};

static void compare(const struct history *history, const struct access *a, const struct access *b,
                    bool in_one_warp, struct naive *naive)
{
    if ((a->item.warp == b->item.warp) != in_one_warp || !do_conflict(&a->item, &b->item)) {
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned k = 0; k < LANES; k++) {
            const uint32_t threads[2] = {a->item.warp * LANES + i, b->item.warp * LANES + k};
            if ((a->item.lanes >> i & 1) == 0 || (b->item.lanes >> k & 1) == 0 ||
                threads[0] == threads[1] ||
                (naive->is_found &&
                 (threads[0] > naive->threads[0] ||
                  (threads[0] == naive->threads[0] && threads[1] >= naive->threads[1])))) {
                continue;
            }
            if (!is_before(history, a, i, b, k) && !is_before(history, b, k, a, i)) {
                naive->is_found = true;
                memcpy(naive->threads, threads, sizeof threads);
            }
        }
    }
}

static struct naive find(const struct history *history, uint32_t word, const uint32_t sites[2],
                         bool in_one_warp)
{
    struct naive naive = {.is_found = false};
    for (unsigned i = 0; i < history->access_count; i++) {
        for (unsigned k = 0; k < history->access_count; k++) {
            const struct access *a = &history->accesses[i];
            const struct access *b = &history->accesses[k];
            if (a->word == word && b->word == word && a->item.site == sites[0] &&
                b->item.site == sites[1]) {
                compare(history, a, b, in_one_warp, &naive);
            }
        }
    }
    return naive;
}

static const struct race_found *found_of(const struct race_judge *judge, uint32_t kind,
                                         const uint32_t sites[2])
{
    for (uint32_t i = 0; i < judge->found_count; i++) {
        const struct race_found *found = &judge->found[i];
        if (found->kind == kind && found->sites[0] == sites[0] && found->sites[1] == sites[1]) {
            return found;
        }
    }
    return NULL;
}

static void check_pair(const struct history *history, const struct race_judge *judge,
                       const uint32_t sites[2])
{
    unsigned words[2] = {0, 0}; /* between warps, within one */
    struct naive first = {.is_found = false};
    for (uint32_t word = 0; word < WORDS; word++) {
        struct naive apart = find(history, word, sites, false);
        bool is_within = !apart.is_found && find(history, word, sites, true).is_found;
        words[0] += apart.is_found;
        words[1] += is_within;
        first = words[0] == apart.is_found && apart.is_found ? apart : first;
    }
    const struct race_found *apart = found_of(judge, FINDING_RECORD_SHARED_RACE, sites);
    const struct race_found *within = found_of(judge, FINDING_RECORD_WARP_RACE, sites);
    assert_int_equal(apart != NULL ? apart->words : 0, words[0]);
    if (apart != NULL && sites[0] != sites[1]) {
        assert_memory_equal(apart->threads, first.threads, sizeof first.threads);
    }
    if (words[0] == 0 || !history->has_dropped) {
        assert_int_equal(within != NULL ? within->words : 0, words[1]);
    }
}

/* True if some lane's read of a word can see what nobody wrote. */
static bool reads_unset(const struct history *history, const struct access *read, unsigned lane)
{
    uint8_t bytes = read->item.unset;
    for (unsigned i = 0; i < history->access_count; i++) {
        const struct access *b = &history->accesses[i];
        bool is_update =
            (read->item.role & b->item.role & ROLE_ATOMIC) != 0 && (b->item.role & ROLE_FILLS) == 0;
        for (unsigned k = 0; k < LANES; k++) {
            bool is_own = b->item.warp == read->item.warp && k == lane;
            if (b->word == read->word && (b->item.role & ROLE_WRITES) != 0 && !is_update &&
                (b->item.lanes >> k & 1) != 0 && !is_own && !is_before(history, read, lane, b, k)) {
                bytes &= (uint8_t)~b->item.bytes;
            }
        }
    }
    return bytes != 0;
}

static void check_reads(const struct history *history, const struct race_judge *judge,
                        uint32_t site)
{
    bool is_unset[WORDS] = {false};
    for (unsigned i = 0; i < history->access_count; i++) {
        const struct access *read = &history->accesses[i];
        for (unsigned lane = 0; lane < LANES && read->item.site == site; lane++) {
            is_unset[read->word] = is_unset[read->word] || ((read->item.lanes >> lane & 1) != 0 &&
                                                            reads_unset(history, read, lane));
        }
    }
    const uint32_t sites[2] = {site, site};
    const struct race_found *found = found_of(judge, FINDING_RECORD_SHARED_UNINITIALISED, sites);
    assert_int_equal(found != NULL ? found->words : 0, is_unset[0] + is_unset[1]);
}

static void check_history(struct worker *worker, uint64_t seed, bool may_drop)
{
    struct history history = {.cells = {.words = WORDS}};
    struct race_judge judge;
    rng_init(&history.rng, seed, may_drop, 0, 0);
    race_order_init(&history.now, THREADS);
    race_order_init(&history.all, THREADS);
    race_judge_init(&judge, worker);
    for (unsigned i = 0; i < STEPS; i++) {
        if (may_drop && draw(&history, STEPS / 2) == 0) {
            drop(&history, &judge);
        } else if (draw(&history, 5) < 3) {
            add_event(&history);
        } else {
            add_access(&history);
        }
    }
    const struct race_side side = {&history.cells, &history.now};
    race_judge_cells(&judge, &side, true);
    for (uint32_t a = 0; a < SITES; a++) {
        for (uint32_t b = a; b < SITES; b++) {
            check_pair(&history, &judge, (const uint32_t[2]){a, b});
        }
        if (!history.has_dropped && (roles[a] & ROLE_READS) != 0) {
            check_reads(&history, &judge, a);
        }
    }
    race_judge_release(&judge);
    race_cells_release(&history.cells);
    race_order_release(&history.now);
    race_order_release(&history.all);
}

/* A worker whose launch is never late. */
static struct worker unlimited(struct launch *launch)
{
    struct worker worker = {.launch = launch};
    launch->work_limit = UINT64_MAX;
    launch->limit_ns = UINT64_MAX;
    worker_start_clock(&worker);
    return worker;
}

static void test_same_as_naive(void **state)
{
    (void)state;
    struct launch launch = {.threads = THREADS, .warp_count = WARPS};
    struct worker worker = unlimited(&launch);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        check_history(&worker, seed, false);
        check_history(&worker, seed, true);
    }
}

/* Warps that meet at releases and acquires, each after its access, so many times over. */
static uint64_t work_of_rounds(struct worker *worker, unsigned rounds, bool is_ordered)
{
    struct race_order order;
    struct race_cells cells = {.words = 1};
    struct race_judge judge;
    race_order_init(&order, WARPS * LANES);
    race_judge_init(&judge, worker);
    for (unsigned round = 0; round < rounds; round++) {
        for (uint32_t w = 0; w < WARPS; w++) {
            struct race_item item = {.site = 0,
                                     .lanes = ALL_LANES,
                                     .event = order.count,
                                     .warp = (uint16_t)w,
                                     .role = ROLE_WRITES | ROLE_FILLS,
                                     .bytes = 15};
            race_cells_add(&cells, 0, &item);
            race_order_add(&order, (struct race_event){RACE_RELEASE, 0, w, ALL_LANES, 0});
        }
        for (uint32_t w = 0; w < WARPS; w++) {
            uint8_t kind = is_ordered ? RACE_ACQUIRE : RACE_RELEASE;
            race_order_add(&order, (struct race_event){kind, 0, w, ALL_LANES, 0});
        }
    }
    const struct race_side side = {&cells, &order};
    race_judge_cells(&judge, &side, true);
    uint64_t work = judge.work;
    race_judge_release(&judge);
    race_cells_release(&cells);
    race_order_release(&order);
    return work;
}

/* Accesses that meetings order cost the launch nothing more, however many there are; where each has
 * to be compared with each the launch pays, so that its work ends it. */
static void test_work(void **state)
{
    (void)state;
    struct launch launch = {.threads = WARPS * LANES, .warp_count = WARPS};
    struct worker worker = unlimited(&launch);
    assert_int_equal(work_of_rounds(&worker, 300, true), 0);
    uint64_t some = work_of_rounds(&worker, 300, false);
    uint64_t more = work_of_rounds(&worker, 600, false);
    assert_true(some > 300 * 300);
    assert_true(more > 3 * some && more < 5 * some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_naive),
        cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
