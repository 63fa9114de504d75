/* test_reduction_oracle.c: reference/reduction/oracle.c on a few elements by hand, and on 1 to n,
 * where a sum tells which elements it holds. */
#include "model/oracle.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS_MAX = 2000 };

static float terms[ELEMENTS_MAX];
static int32_t numbers[ELEMENTS_MAX];

/* A problem with the first elements of the arrays. */
static struct oracle_problem problem_of(const char *launch, size_t *count)
{
    static const void *inputs[1];

    inputs[0] = strcmp(launch, "max") == 0 ? (const void *)numbers : terms;
    return (struct oracle_problem){
        .inputs = inputs,
        .input_counts = count,
        .output_count = 1,
        .launch = launch,
    };
}

static double expected(const char *launch, size_t count, double *out_magnitude)
{
    const struct oracle_problem problem = problem_of(launch, &count);
    double result = 0.0;

    gpugrade_oracle.expect(&problem, &result, out_magnitude);
    return result;
}

static void set(const int32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = values[i];
        terms[i] = (float)values[i];
    }
}

static void count_up(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (int32_t)i + 1;
        terms[i] = (float)(i + 1);
    }
}

/* What a mistake gives; a number that no result is, where it cannot be judged. */
static double mistaken(const char *name, const char *launch, size_t count)
{
    const struct oracle_problem problem = problem_of(launch, &count);
    double value = 0.0;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            return gpugrade_oracle.mistakes[i].compute(&problem, &value) ? value : -0.5;
        }
    }
    fail_msg("there is no mistake %s", name);
    return 0.0;
}

static void assert_mistake(const char *name, const char *launch, size_t count, double wanted)
{
    assert_true(mistaken(name, launch, count) == wanted);
}

static void assert_not_judged(const char *name, const char *launch, size_t count)
{
    assert_mistake(name, launch, count, -0.5);
}

static void expected_values_are_sum_and_maximum(void **state)
{
    double magnitude = 0.0;
    (void)state;

    set((const int32_t[]){3, -7, 2, 1}, 4);
    assert_true(expected("sum", 4, &magnitude) == -1.0);
    assert_true(magnitude == 13.0);
    assert_true(expected("max", 4, &magnitude) == 3.0);
    set((const int32_t[]){INT_MIN}, 1);
    assert_true(expected("max", 1, &magnitude) == (double)INT_MIN);
}

static void the_result_needs_all_elements(void **state)
{
    size_t count = 5;
    const struct oracle_problem problem = problem_of("sum", &count);
    struct oracle_need needs[3] = {{9, 9}, {9, 9}, {9, 9}};
    (void)state;

    assert_int_equal(gpugrade_oracle.needs(&problem, 0, needs, 2), 5);
    assert_int_equal(needs[1].element, 1);
    assert_int_equal(needs[2].element, 9);
}

static void elements_that_are_left_out_are_missing(void **state)
{
    (void)state;

    count_up(ELEMENTS_MAX);
    assert_mistake("last_missing", "sum", 10, 45.0);
    assert_mistake("odd_missing", "sum", 4, 1.0 + 3.0);
    assert_mistake("half_of_32", "sum", 40, 136.0 + 292.0); /* 1 to 16 and 33 to 40 */
    assert_mistake("rest_after_32", "sum", 40, 528.0);      /* 1 to 32 */
    assert_mistake("rest_after_32", "max", 40, 32.0);
    assert_mistake("last_block_of_32", "sum", 40, 292.0);
    assert_mistake("first_32", "sum", 40, 528.0);
    assert_mistake("again_by_blocks_of_32", "sum", 40, 820.0 + 292.0);
    assert_mistake("added_twice", "sum", 3, 12.0);
}

/* Blocks of 32 elements, whose 3 results make one more block: its last one is missing, too. */
static void partial_results_may_be_left_out_again(void **state)
{
    (void)state;

    count_up(ELEMENTS_MAX);
    /* Of elements 1 to 95 the first 64, without the last of all. */
    assert_mistake("last_missing_in_32", "sum", 95, 64.0 * 65.0 / 2);
    /* Blocks 0 and 2 of three, of each every second element: 1 to 31, and 65 to 95. */
    assert_mistake("odd_missing_in_32", "sum", 96, 256.0 + 1280.0);
    /* 1100 / 32 is 34 blocks, and 34 / 32 is one: the first 1024. */
    assert_mistake("rests_after_32", "sum", 1100, 1024.0 * 1025.0 / 2);
}

static void a_maximum_has_mistakes_of_its_own(void **state)
{
    (void)state;

    set((const int32_t[]){-3, -16777217, -5}, 3);
    assert_mistake("maximum_from_zero", "max", 3, 0.0);
    assert_mistake("minimum", "max", 3, -16777217.0);
    assert_mistake("maximum_of_magnitudes", "max", 3, 16777217.0);
    set((const int32_t[]){7, 16777217}, 2);
    assert_mistake("maximum_in_float", "max", 2, 16777216.0);
    assert_not_judged("maximum_from_zero", "max", 2);
}

static void what_changes_nothing_is_not_judged(void **state)
{
    (void)state;

    count_up(ELEMENTS_MAX);
    assert_not_judged("last_missing", "sum", 1); /* nothing is left */
    assert_not_judged("half_of_32", "sum", 16);
    assert_not_judged("odd_missing", "max", 9); /* the largest is not left out */
    assert_not_judged("maximum_from_zero", "sum", 9);
    assert_not_judged("mean_for_sum", "max", 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_values_are_sum_and_maximum),
        cmocka_unit_test(the_result_needs_all_elements),
        cmocka_unit_test(elements_that_are_left_out_are_missing),
        cmocka_unit_test(partial_results_may_be_left_out_again),
        cmocka_unit_test(a_maximum_has_mistakes_of_its_own),
        cmocka_unit_test(what_changes_nothing_is_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
