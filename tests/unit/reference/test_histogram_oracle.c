/* test_histogram_oracle.c: reference/histogram/oracle.c against counts made by hand. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BINS = 256, VALUES_MAX = 1 << 18, MISTAKES_MAX = 128 };

/* One problem. */
struct counted {
    uint8_t values[VALUES_MAX];
    const void *inputs[1];
    size_t input_counts[1];
    int64_t parameters[1];
    struct oracle_problem problem;
};

static struct counted counted;

static void problem_set(size_t count)
{
    counted.inputs[0] = counted.values;
    counted.input_counts[0] = count;
    counted.parameters[0] = (int64_t)count;
    counted.problem = (struct oracle_problem){
        .parameters = counted.parameters,
        .inputs = counted.inputs,
        .output_count = BINS,
        .launch = "histogram",
        .input_counts = counted.input_counts,
    };
}

/* Six values: 0, 255, 7, 7, 130, 7. */
static void problem_by_hand(void)
{
    static const uint8_t values[] = {0, 255, 7, 7, 130, 7};

    memcpy(counted.values, values, sizeof values);
    problem_set(sizeof values);
}

static void expect_bins(double *out_bins)
{
    double magnitudes[BINS];

    memset(out_bins, 0, BINS * sizeof *out_bins);
    gpugrade_oracle.expect(&counted.problem, out_bins, magnitudes);
}

static const struct oracle_mistake *mistake_named(const char *name)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return &gpugrade_oracle.mistakes[i];
}

static int mistaken(const char *name, double *out_bins)
{
    memset(out_bins, 0, BINS * sizeof *out_bins);
    return mistake_named(name)->compute(&counted.problem, out_bins);
}

static void counts_are_those_made_by_hand(void **state)
{
    double bins[BINS];
    double sum = 0.0;
    (void)state;

    problem_by_hand();
    expect_bins(bins);
    for (int bin = 0; bin < BINS; bin++) {
        sum += bins[bin];
    }
    assert_true(bins[0] == 1.0 && bins[7] == 3.0 && bins[130] == 1.0 && bins[255] == 1.0);
    assert_true(sum == 6.0);
}

static void mistakes_by_their_definition(void **state)
{
    double bins[BINS];
    (void)state;

    problem_by_hand();
    assert_true(mistaken("last_value", bins));
    assert_true(bins[7] == 2.0 && bins[0] == 1.0);
    assert_true(mistaken("twice", bins));
    assert_true(bins[7] == 6.0);
    assert_true(mistaken("upper_half_zero", bins));
    assert_true(bins[130] == 0.0 && bins[255] == 0.0 && bins[7] == 3.0);
    assert_true(mistaken("last_bin_before", bins));
    assert_true(bins[254] == 1.0 && bins[255] == 0.0);
    assert_true(mistaken("rest_missing_4", bins));
    assert_true(bins[7] == 2.0 && bins[130] == 0.0);
    assert_true(mistaken("bins_unwritten_64", bins));
    assert_true(isnan(bins[64]) && isnan(bins[255]) && bins[7] == 3.0);
}

/* A mistake that changes nothing is not judged. */
static void what_changes_nothing_is_not_judged(void **state)
{
    double bins[BINS];
    (void)state;

    problem_by_hand();
    assert_false(mistaken("first_block_only_32", bins));
    assert_false(mistaken("wraps_256", bins));
    assert_false(mistaken("same_block_again_256", bins));
}

/* 300 values are one block of 256 and the rest: the first block's counts, for two blocks. */
static void the_first_block_is_counted_again(void **state)
{
    double bins[BINS];
    (void)state;

    memset(counted.values, 1, 256);
    memset(counted.values + 256, 2, 44);
    problem_set(300);
    assert_true(mistaken("same_block_again_256", bins));
    assert_true(bins[1] == 512.0 && bins[2] == 0.0);
    assert_true(mistaken("128_threads_2", bins));
    assert_true(bins[1] == 128.0 && bins[2] == 44.0);
}

/* Values of all kinds, more than 2^16 of one of them; no last block is full. */
static void problem_of_all_kinds(void)
{
    for (size_t i = 0; i < VALUES_MAX; i++) {
        counted.values[i] = (uint8_t)(i % 3 == 0 ? 9 : i * 7 + i / 256 * 3);
    }
    counted.values[VALUES_MAX - 2] = 8;
    problem_set(VALUES_MAX - 1);
}

static void every_mistake_is_wrong_and_no_two_are_the_same(void **state)
{
    static double values[MISTAKES_MAX][BINS];
    double right[BINS];
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= MISTAKES_MAX);
    problem_of_all_kinds();
    expect_bins(right);
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];

        assert_true(strlen(mistake->message) > 0 && strlen(mistake->hint) > 0);
        memset(values[i], 0, sizeof values[i]);
        if (!mistake->compute(&counted.problem, values[i])) {
            assert_true(strncmp(mistake->name, "first_block_only_", 17) == 0);
            continue;
        }
        assert_memory_not_equal(values[i], right, sizeof right);
        for (size_t j = 0; j < i; j++) {
            if (memcmp(values[i], values[j], sizeof right) == 0) {
                fail_msg("%s and %s are the same", mistake->name, gpugrade_oracle.mistakes[j].name);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_made_by_hand),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(what_changes_nothing_is_not_judged),
        cmocka_unit_test(the_first_block_is_counted_again),
        cmocka_unit_test(every_mistake_is_wrong_and_no_two_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
