/* test_access_cost.c: the cost of some lanes of a pattern by its banks, against access_cost_shared(). */
#include "base/rng.h"
#include "device/emulated/memory/access_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 4000, BASE = 1 << 16 };

/* Words at a stride, with a row that begins elsewhere, or at random: of few places, some meet. */
static void draw_deltas(struct rng *rng, int32_t delta[LANES])
{
    const uint32_t stride = (uint32_t)(rng_next(rng) % 40);
    const uint32_t row = (uint32_t)1 << rng_next(rng) % 6;
    const uint32_t skip = (uint32_t)(rng_next(rng) % 64);
    const bool is_random = rng_next(rng) % 4 == 0;
    const uint32_t places = rng_next(rng) % 2 == 0 ? 64 : 1 << 12;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t word =
            is_random ? (uint32_t)(rng_next(rng) % places) : i * stride + i / row * skip;
        delta[i] = (int32_t)(4 * word);
    }
}

static void test_parts_of_patterns(void **state)
{
    (void)state;
    struct rng rng;
    unsigned compared = 0;
    unsigned conflicts = 0;
    rng_init(&rng, 1, 2, 3, 4);
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t delta[LANES];
        uint64_t addresses[LANES];
        struct bank_sets sets;
        const uint32_t mask = (uint32_t)rng_next(&rng) | (uint32_t)rng_next(&rng);
        const uint32_t active = mask & (uint32_t)rng_next(&rng);
        draw_deltas(&rng, delta);
        for (unsigned i = 0; i < LANES; i++) {
            addresses[i] = BASE + (uint64_t)delta[i];
        }
        access_bank_sets(delta, mask, &sets);
        if (!sets.has_own_words || active == 0) {
            continue;
        }
        const struct access_lanes lanes = {.addresses = addresses, .mask = active, .bytes = 4};
        const struct access_cost expected = access_cost_shared(&lanes);
        const struct access_cost seen = access_cost_of_words(&sets, active);
        assert_int_equal(seen.space, expected.space);
        assert_int_equal(seen.units, expected.units);
        assert_int_equal(seen.least_units, expected.least_units);
        assert_int_equal(seen.pieces, expected.pieces);
        assert_int_equal(seen.degree, expected.degree);
        compared++;
        conflicts += seen.degree > 2;
    }
    assert_true(compared > ROUNDS / 4);
    assert_true(conflicts > ROUNDS / 20);
}

/* Lanes that share a word are not told apart by their banks. */
static void test_shared_word(void **state)
{
    (void)state;
    struct bank_sets sets;
    int32_t delta[LANES];
    for (int32_t i = 0; i < LANES; i++) {
        delta[i] = 4 * i;
    }
    access_bank_sets(delta, ALL_LANES, &sets);
    assert_true(sets.has_own_words);
    delta[7] = delta[30];
    access_bank_sets(delta, ALL_LANES, &sets);
    assert_false(sets.has_own_words);
    access_bank_sets(delta, ALL_LANES & ~(UINT32_C(1) << 30), &sets);
    assert_true(sets.has_own_words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_of_patterns),
        cmocka_unit_test(test_shared_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
