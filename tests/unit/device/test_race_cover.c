/* test_race_cover.c: covered intervals and remembered crossings, against sketches. */
#include "base/rng.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/race/race_cover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OWN_SHIFT = 48 }; /* in both intervals of warp 0: its lanes meet themselves */
enum { WARPS = 3, THREADS = WARPS * LANES, WORDS = 256, ROUNDS = 20000, WHOLE = 0xf, OWNER = 1 };

/* A load, a store, and a load of two words. */
static const struct op ops[] = {
    {.bytes = 4, .count = 1, .slot_bytes = 4},
    {.bytes = 4, .count = 1, .slot_bytes = 4},
    {.bytes = 8, .count = 1, .slot_bytes = 8},
};
static const struct shared_access accesses[] = {
    {.op = 0, .site = 0, .role = ROLE_READS},
    {.op = 1, .site = 1, .role = ROLE_WRITES | ROLE_FILLS},
    {.op = 2, .site = 2, .role = ROLE_READS},
};
static const struct kernel_code code = {
    .ops = ops, .op_count = 3, .accesses = accesses, .access_count = 3};

struct fixture {
    struct rng rng;
    struct launch launch;
    struct worker worker;
    struct shared_range range;
    struct race_shapes shapes;
    struct race_covers covers;
    struct race_interval before, after;
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
    memset(fixture->written, WHOLE, sizeof fixture->written);
    race_interval_init(&fixture->before, THREADS, WORDS);
    race_interval_init(&fixture->after, THREADS, WORDS);
}

static void fixture_release(struct fixture *fixture)
{
    race_interval_release(&fixture->before);
    race_interval_release(&fixture->after);
    race_shapes_release(&fixture->shapes);
    race_covers_release(&fixture->covers);
}

/* An access by some lanes of a warp to its row of 32 places, `shift` words further. */
static void add_entry(struct fixture *fixture, struct race_interval *interval, uint32_t access,
                      uint32_t warp, uint32_t shift)
{
    static const uint64_t secret[4] = {1, 3, 5, 7};
    const uint32_t bytes = ops[access].bytes;
    int32_t delta[LANES];
    for (uint32_t i = 0; i < LANES; i++) {
        delta[i] = (int32_t)(i * bytes);
    }
    uint32_t lanes = 1u << draw(fixture, LANES);
    if (draw(fixture, 2) == 0) {
        lanes |= (uint32_t)rng_next(&fixture->rng);
    }
    assert_true(race_interval_has_room(interval, LANES));
    interval->entries[interval->count++] = (struct race_entry){
        .access = access,
        .first = warp * LANES * bytes + 4 * shift,
        .shape = race_shapes_find(&fixture->shapes, secret, ALL_LANES, delta),
        .lanes = lanes,
        .value = interval->value_count,
        .warp = warp,
    };
    memset(interval->values + interval->value_count, 0, LANES * sizeof *interval->values);
    interval->value_count += LANES;
}

/* Each warp loads and stores its row, perhaps not; rarely there is something else. */
static void fill(struct fixture *fixture, struct race_interval *interval, uint32_t shift)
{
    race_interval_clear(interval);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        for (uint32_t access = 0; access < 2; access++) {
            if (draw(fixture, 8) != 0) {
                add_entry(fixture, interval, access, warp, warp == 0 ? OWN_SHIFT : shift);
            }
        }
    }
    if (draw(fixture, 9) == 0) {
        const uint32_t access = draw(fixture, 3);
        const uint32_t warp = draw(fixture, WARPS);
        add_entry(fixture, interval, access, warp, draw(fixture, 4) * 16);
    }
    if (draw(fixture, 50) == 0) {
        for (uint32_t i = 0; i < 70; i++) {
            add_entry(fixture, interval, 0, 0, OWN_SHIFT);
            interval->entries[interval->count - 1].lanes = 1;
        }
    }
}

/* True if a cover has the interval; then its sketch is clean and marks the same. */
static bool check_interval(struct fixture *fixture, struct race_interval *interval,
                           struct race_cover *cover)
{
    uint8_t marked[WORDS];
    uint8_t expected[WORDS];
    const bool has = race_cover_has(&fixture->covers, cover, interval, &fixture->fold);
    interval->is_clean = race_sketch_make(interval, &fixture->fold);
    if (has) {
        assert_true(interval->is_clean);
        memcpy(marked, fixture->written, sizeof marked);
        memcpy(expected, fixture->written, sizeof expected);
        assert_int_equal(race_cover_mark(cover, interval, &fixture->fold, marked),
                         race_sketch_mark(&interval->sketch, expected));
        assert_memory_equal(marked, expected, sizeof marked);
    }
    return has;
}

static void test_same_as_sketches(void **state)
{
    (void)state;
    struct fixture fixture;
    const struct race_key written = {{5, 5}};
    unsigned covered = 0;
    unsigned uncovered = 0;
    unsigned crossings = 0;
    fixture_init(&fixture);
    memset(fixture.written + 3, 0, 40); /* some words are not written before */
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct race_interval *before = &fixture.before;
        struct race_interval *after = &fixture.after;
        struct race_cover *first = race_cover_of(&fixture.covers, 0, OWNER, &written);
        struct race_cover *second = race_cover_of(&fixture.covers, 1, OWNER, &written);
        second->crossing_pause = (struct race_pause){0};
        fill(&fixture, before, OWN_SHIFT);
        fill(&fixture, after, 65);
        bool has = check_interval(&fixture, before, first);
        has = check_interval(&fixture, after, second) && has;
        covered += has;
        uncovered += !before->is_clean;
        if (!before->is_clean || !after->is_clean) {
            continue;
        }
        const enum race_crossing crossing = race_sketch_crosses(&before->sketch, &after->sketch);
        if (race_cover_crosses(second, before, after)) {
            assert_int_equal(crossing, CROSSES);
            crossings++;
        } else if (crossing == CROSSES) {
            race_cover_learn_crossings(second, before, after, &fixture.fold);
        }
    }
    assert_true(covered > ROUNDS / 20);
    assert_true(uncovered > ROUNDS / 100);
    assert_true(crossings > ROUNDS / 100);
    fixture_release(&fixture);
}

/* A cover does not hold for shapes of another number, nor where something else was written. */
static void test_begins_again(void **state)
{
    (void)state;
    struct fixture fixture;
    struct race_key written = {{5, 5}};
    fixture_init(&fixture);
    for (unsigned changes = 0; changes < 3; changes++) {
        const uint32_t owner = OWNER + (changes == 1);
        written.bits[1] += changes == 2;
        for (unsigned round = 0; round < 6; round++) {
            struct race_cover *cover = race_cover_of(&fixture.covers, 0, owner, &written);
            race_interval_clear(&fixture.before);
            add_entry(&fixture, &fixture.before, 1, 0, 0);
            assert_int_equal(race_cover_has(&fixture.covers, cover, &fixture.before, &fixture.fold),
                             round >= 2);
        }
    }
    fixture_release(&fixture);
}

/* After a large interval come small ones, every other one with an access of its own: the large one
 * is not sketched again for each of them. */
static void test_sketches_are_paid_for(void **state)
{
    (void)state;
    enum { LARGE = 200, SMALL = 400 };
    struct fixture fixture;
    const struct race_key written = {{5, 5}};
    uint64_t entries = 0;
    uint64_t sketched = 0;
    unsigned covered = 0;
    fixture_init(&fixture);
    for (unsigned round = 0; round < 3 + SMALL; round++) {
        struct race_cover *cover = race_cover_of(&fixture.covers, 0, OWNER, &written);
        const uint32_t sketches = fixture.covers.sketch.round;
        race_interval_clear(&fixture.before);
        for (unsigned i = 0; i < (round < 3 ? LARGE : 1); i++) {
            const uint32_t place = (round % 2 == 0 ? i * 8 : round) % (WORDS - LANES);
            add_entry(&fixture, &fixture.before, 0, 0, place);
            fixture.before.entries[fixture.before.count - 1].shape = 1;
        }
        covered += race_cover_has(&fixture.covers, cover, &fixture.before, &fixture.fold);
        entries += fixture.before.count;
        sketched += fixture.covers.sketch.round != sketches ? LARGE : 0;
    }
    assert_true(covered > SMALL / 3);
    assert_true(sketched > 2 * LARGE);
    assert_true(sketched < 5 * entries);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_sketches),
        cmocka_unit_test(test_begins_again),
        cmocka_unit_test(test_sketches_are_paid_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
