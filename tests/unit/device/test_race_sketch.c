/* test_race_sketch.c: sketches of intervals, against the judge of their cells. */
#include "base/rng.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/race/race_interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WARPS = 3,
    THREADS = WARPS * LANES,
    WORDS = 160,
    ACCESSES = 5,
    ENTRIES = 5,
    ROUNDS = 4000,
    WHOLE = 0xf,
};

/* A load, a store, one of two words, one of a byte, and an atomic. */
static const struct op ops[ACCESSES] = {
    {.bytes = 4, .count = 1, .slot_bytes = 4}, {.bytes = 4, .count = 1, .slot_bytes = 4},
    {.bytes = 8, .count = 1, .slot_bytes = 8}, {.bytes = 1, .count = 1, .slot_bytes = 4},
    {.bytes = 4, .count = 1, .slot_bytes = 4},
};
static const struct shared_access accesses[ACCESSES] = {
    {.op = 0, .site = 0, .role = ROLE_READS},
    {.op = 1, .site = 1, .role = ROLE_WRITES | ROLE_FILLS},
    {.op = 2, .site = 2, .role = ROLE_WRITES | ROLE_FILLS},
    {.op = 3, .site = 3, .role = ROLE_READS},
    {.op = 4, .site = 4, .role = ROLE_READS | ROLE_WRITES | ROLE_ATOMIC},
};
static const struct kernel_code code = {
    .ops = ops, .op_count = ACCESSES, .accesses = accesses, .access_count = ACCESSES};

struct fixture {
    struct rng rng;
    struct launch launch;
    struct worker worker;
    struct shared_range range;
    struct race_shapes shapes;
    uint8_t written[WORDS];
    struct race_fold fold;
};

static uint32_t draw(struct fixture *fixture, uint32_t count)
{
    return (uint32_t)(rng_next(&fixture->rng) % count);
}

static void fixture_init(struct fixture *fixture)
{
    *fixture = (struct fixture){.range = {0, WORDS * 4}};
    rng_init(&fixture->rng, 1, 2, 3, 4);
    fixture->launch = (struct launch){
        .threads = THREADS, .warp_count = WARPS, .work_limit = UINT64_MAX, .limit_ns = UINT64_MAX};
    fixture->worker = (struct worker){.launch = &fixture->launch};
    worker_start_clock(&fixture->worker);
    fixture->fold = (struct race_fold){.code = &code,
                                       .ranges = &fixture->range,
                                       .shapes = &fixture->shapes,
                                       .worker = &fixture->worker,
                                       .written = fixture->written};
}

/* Mostly a row of words, one for each lane, mostly at the place of the warp. */
static void add_entry(struct fixture *fixture, struct race_interval *interval, uint32_t access)
{
    static const uint64_t secret[4] = {1, 3, 5, 7};
    int32_t delta[LANES] = {0};
    const uint32_t warp = draw(fixture, WARPS);
    const uint32_t bytes = ops[access].bytes;
    const uint32_t mask = draw(fixture, 4) != 0 ? ALL_LANES : UINT32_C(1) << draw(fixture, LANES);
    const uint32_t row = draw(fixture, 8) != 0 ? warp : draw(fixture, WARPS + 1);
    const uint32_t lane = (uint32_t)__builtin_ctz(mask);
    const uint32_t stride = draw(fixture, 6) == 0 ? 0 : bytes;
    for (uint32_t i = 0; i < LANES; i++) {
        delta[i] = (mask >> i & 1) != 0 ? (int32_t)((i - lane) * stride) : 0;
    }
    const uint32_t values = race_is_plain_write(accesses[access].role) ? LANES * bytes / 4 : 0;
    assert_true(race_interval_has_room(interval, values));
    interval->entries[interval->count++] = (struct race_entry){
        .access = access,
        .first = row * LANES * bytes + lane * stride,
        .shape = race_shapes_find(&fixture->shapes, secret, mask, delta),
        .lanes = mask,
        .value = interval->value_count,
        .warp = warp,
    };
    for (uint32_t i = 0; i < values; i++) {
        interval->values[interval->value_count++] = draw(fixture, 2);
    }
}

static void fill(struct fixture *fixture, struct race_interval *interval)
{
    const uint32_t count = 1 + draw(fixture, ENTRIES);
    race_interval_clear(interval);
    for (uint32_t i = 0; i < count; i++) {
        add_entry(fixture, interval,
                  draw(fixture, 8) == 0 ? draw(fixture, ACCESSES) : draw(fixture, 2));
    }
}

/* Judges an interval by both; true if its sketch is clean. */
static bool check_interval(struct fixture *fixture, struct race_interval *interval)
{
    struct race_judge judge;
    uint8_t marked[WORDS];
    uint8_t expected[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) {
        fixture->written[i] = draw(fixture, 3000) == 0 ? 1 : WHOLE;
    }
    const bool is_clean = race_sketch_make(interval, &fixture->fold);
    race_interval_fold(interval, &fixture->fold);
    race_judge_init(&judge, &fixture->worker);
    const struct race_side side = {&interval->cells, &interval->order};
    race_judge_cells(&judge, &side, true);
    if (is_clean) {
        assert_int_equal(judge.found_count, 0);
        assert_int_equal(judge.work, 0);
        assert_int_equal(interval->cells.work, 0);
        memset(marked, 0, sizeof marked);
        memset(expected, 0, sizeof expected);
        assert_int_equal(race_sketch_mark(&interval->sketch, marked),
                         race_cells_mark(&interval->cells, expected));
        assert_memory_equal(marked, expected, sizeof marked);
    }
    race_judge_release(&judge);
    return is_clean;
}

static void test_same_as_cells(void **state)
{
    (void)state;
    struct fixture fixture;
    struct race_interval before;
    struct race_interval after;
    unsigned crossings[CROSSES_PERHAPS + 1] = {0};
    fixture_init(&fixture);
    race_interval_init(&before, THREADS, WORDS);
    race_interval_init(&after, THREADS, WORDS);
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&fixture, &before);
        fill(&fixture, &after);
        const bool first_is_clean = check_interval(&fixture, &before);
        if (!check_interval(&fixture, &after) || !first_is_clean) {
            continue;
        }
        struct race_judge judge;
        race_judge_init(&judge, &fixture.worker);
        const struct race_side sides[2] = {{&before.cells, &before.order},
                                           {&after.cells, &after.order}};
        const bool crosses = race_judge_crosses(&judge, &sides[0], &sides[1]);
        const enum race_crossing seen = race_sketch_crosses(&before.sketch, &after.sketch);
        assert_true(seen == CROSSES_PERHAPS || (seen == CROSSES) == crosses);
        assert_int_equal(judge.work, 0);
        race_judge_release(&judge);
        crossings[seen]++;
    }
    for (unsigned i = 0; i <= CROSSES_PERHAPS; i++) {
        assert_true(crossings[i] > 20); /* all of them were tried */
    }
    race_interval_release(&before);
    race_interval_release(&after);
    race_shapes_release(&fixture.shapes);
}

/* A word with more accesses than are free of charge is left to the cells. */
static void test_crowded_word(void **state)
{
    (void)state;
    struct fixture fixture;
    struct race_interval interval;
    fixture_init(&fixture);
    memset(fixture.written, WHOLE, sizeof fixture.written);
    race_interval_init(&interval, THREADS, WORDS);
    for (unsigned count = 0; count < 65; count++) {
        assert_true(race_interval_has_room(&interval, 0));
        add_entry(&fixture, &interval, 0);
        interval.entries[count] = interval.entries[0];
    }
    assert_false(race_sketch_make(&interval, &fixture.fold));
    interval.sketch.status = SKETCH_NONE;
    interval.count = 64;
    assert_true(race_sketch_make(&interval, &fixture.fold));
    race_interval_release(&interval);
    race_shapes_release(&fixture.shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_cells),
        cmocka_unit_test(test_crowded_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
