/* test_rng.c: the generator's published numbers, its ranges, and streams that do not touch. */
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ChaCha8 for a key and a nonce of zeros: the first block and the beginning of the second, of the
 * test vectors for the ChaCha stream cipher (draft-strombergson-chacha-test-vectors-01, TC1). */
static void test_known_values(void **state)
{
    static const uint64_t expected[] = {
        UINT64_C(0xd6405f892fef003e), UINT64_C(0xa1a5091fe8b85b7f), UINT64_C(0x3b7f9acec30e842c),
        UINT64_C(0x1e1a71ef88e11b18), UINT64_C(0x416f21b972e14c98), UINT64_C(0x19566d456753449f),
        UINT64_C(0x01b086daa3424a31), UINT64_C(0x42fe0c0eb8fd7b38), UINT64_C(0x51c1a5ea0dfaaed2)};
    struct rng rng;

    (void)state;
    rng_init(&rng, 0, 0, 0, 0);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(rng_next(&rng), expected[i]);
    }
}

static void test_streams(void **state)
{
    struct rng a, b;

    (void)state;
    rng_init(&a, 5, 1, 2, 3);
    rng_init(&b, 5, 1, 2, 3);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(rng_next(&a), rng_next(&b));
    }
    const uint64_t names[][4] = {{6, 1, 2, 3}, {5, 2, 2, 3}, {5, 1, 3, 3},
                                 {5, 1, 2, 4}, {5, 3, 2, 1}, {5, 2, 1, 3}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rng_init(&a, 5, 1, 2, 3);
        rng_init(&b, names[i][0], names[i][1], names[i][2], names[i][3]);
        assert_int_not_equal(rng_next(&a), rng_next(&b));
    }
}

static void test_ranges(void **state)
{
    struct rng rng;
    int counts[5] = {0};

    (void)state;
    rng_init(&rng, 1, 0, 0, 0);
    for (int i = 0; i < 5000; i++) {
        int64_t value = rng_range(&rng, -2, 2);
        assert_in_range(value + 2, 0, 4);
        counts[value + 2]++;
    }
    for (int i = 0; i < 5; i++) {
        assert_in_range(counts[i], 850, 1150); /* 1000 expected, 28 the standard deviation */
    }
    assert_int_equal(rng_range(&rng, 7, 7), 7);
    assert_int_equal(rng_range(&rng, INT64_MIN, INT64_MIN), INT64_MIN);
    rng_range(&rng, INT64_MIN, INT64_MAX);
}

static void test_floats(void **state)
{
    struct rng rng;
    double sum = 0;
    int full_mantissas = 0;

    (void)state;
    rng_init(&rng, 2, 0, 0, 0);
    for (int i = 0; i < 10000; i++) {
        float value = rng_float(&rng);
        assert_true(value > -1 && value < 1 && value != 0);
        sum += value;
        float scaled = value * 0x1p23f;
        full_mantissas += scaled != truncf(scaled) ? 1 : 0;
    }
    assert_true(fabs(sum / 10000) < 0.03); /* 5 standard deviations of the mean */
    assert_true(full_mantissas > 4000);
}

static void test_system_seed(void **state)
{
    uint64_t a = 0, b = 0;

    (void)state;
    assert_true(rng_seed_from_system(&a));
    assert_true(rng_seed_from_system(&b));
    assert_int_not_equal(a, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values), cmocka_unit_test(test_streams),
        cmocka_unit_test(test_ranges),       cmocka_unit_test(test_floats),
        cmocka_unit_test(test_system_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
