/* test_sort_oracle.c: reference/sort/oracle.c on keys that are sorted by hand, and its mistakes. */
#include "base/rng.h"
#include "model/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS_MAX = 5000, FEW = 6, SMALL = 100 };

/* n is no power of two; two keys are equal, and two have the highest bit. */
static const uint32_t few[FEW] = {7, 0xffffffffu, 0, 7, 0x80000001u, 0x10000};

/* SMALL keys are below 51, so many are equal or differ in their lowest bits alone. */
struct keys_problem {
    uint32_t keys[KEYS_MAX];
    int64_t n;
    const void *inputs[1];
    struct oracle_problem problem;
};

static void problem_init(struct keys_problem *made, int64_t n)
{
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)n, 0, 0);
    for (int64_t i = 0; i < n; i++) {
        made->keys[i] = (uint32_t)rng_range(&rng, 0, n == SMALL ? 50 : UINT32_MAX);
    }
    if (n == FEW) {
        memcpy(made->keys, few, sizeof few);
    }
    made->n = n;
    made->inputs[0] = made->keys;
    made->problem = (struct oracle_problem){
        .parameters = &made->n,
        .inputs = made->inputs,
        .output_count = (size_t)n,
    };
}

static struct keys_problem made;

static void few_keys_are_sorted_as_by_hand(void **state)
{
    static const double sorted[FEW] = {0, 7, 7, 65536, 2147483649.0, 4294967295.0};
    double expected[FEW], magnitudes[FEW] = {0};
    (void)state;

    problem_init(&made, FEW);
    gpugrade_oracle.expect(&made.problem, expected, magnitudes);
    for (size_t i = 0; i < FEW; i++) {
        assert_true(expected[i] == sorted[i]);
    }
    assert_memory_equal(made.keys, few, sizeof few);
}

static const struct oracle_mistake *mistake_of(const char *name)
{
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            return &gpugrade_oracle.mistakes[i];
        }
    }
    fail_msg("there is no mistake %s", name);
    return NULL;
}

static void mistakes_give_what_they_say(void **state)
{
    static const struct {
        const char *name;
        double values[FEW];
    } given[] = {
        {"as_it_was", {7, 4294967295.0, 0, 7, 2147483649.0, 65536}},
        {"descending", {4294967295.0, 2147483649.0, 65536, 7, 7, 0}},
        {"with_sign", {2147483649.0, 4294967295.0, 0, 7, 7, 65536}},
        {"power_only", {0, 7, 7, 4294967295.0, 2147483649.0, 65536}},
        {"without_last", {0, 7, 7, 2147483649.0, 4294967295.0, 65536}},
        {"without_first", {7, 0, 7, 65536, 2147483649.0, 4294967295.0}},
        {"padded_with_zeros", {0, 0, 0, 7, 7, 65536}},
        {"padded_with_int_max", {0, 7, 7, 65536, 2147483647.0, 2147483647.0}},
        {"sign_and_minus_one", {2147483649.0, 4294967295.0, 4294967295.0, 4294967295.0, 0, 7}},
        {"bits_low_16", {0, 65536, 2147483649.0, 7, 7, 4294967295.0}},
        {"bitonic_last_merge", {0, 7, 7, 4294967295.0, 4294967295.0, 4294967295.0}},
    };
    (void)state;

    problem_init(&made, FEW);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        double values[FEW] = {0};
        assert_true(mistake_of(given[i].name)->compute(&made.problem, values));
        for (size_t k = 0; k < FEW; k++) {
            if (values[k] != given[i].values[k]) {
                fail_msg("%s: key %zu is %.0f", given[i].name, k, values[k]);
            }
        }
    }
}

static void sorted_keys_show_no_mistake_in_the_order(void **state)
{
    static const char *const names[] = {"as_it_was", "with_sign", "runs_of_64", "bits_low_31"};
    double values[FEW];
    (void)state;

    problem_init(&made, FEW);
    for (uint32_t i = 0; i < FEW; i++) {
        made.keys[i] = 3 * i;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_false(mistake_of(names[i])->compute(&made.problem, values));
    }
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    static const int64_t sizes[] = {1, 2, FEW, SMALL, 4096, KEYS_MAX};
    static double expected[KEYS_MAX], values[KEYS_MAX];
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;
        assert_true(strlen(mistake->message) > 0 && strlen(mistake->hint) > 0);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            problem_init(&made, sizes[k]);
            if (mistake->compute(&made.problem, values) == 0) {
                continue;
            }
            judged++;
            gpugrade_oracle.expect(&made.problem, expected, NULL);
            assert_true(memcmp(expected, values, made.problem.output_count * sizeof *values) != 0);
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no size", mistake->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_keys_are_sorted_as_by_hand),
        cmocka_unit_test(mistakes_give_what_they_say),
        cmocka_unit_test(sorted_keys_show_no_mistake_in_the_order),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
