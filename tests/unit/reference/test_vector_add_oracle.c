/* test_vector_add_oracle.c: reference/vector_add/oracle.c on three elements by hand. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 3 };

static const float x[COUNT] = {1.0F, -2.0F, 4.0F};
static const float y[COUNT] = {10.0F, 20.0F, 30.0F};
static const void *const inputs[2] = {x, y};
static const double alpha = 2.5;

static struct oracle_problem problem_of(const char *launch)
{
    return (struct oracle_problem){
        .inputs = inputs,
        .output_count = COUNT,
        .launch = launch,
        .scalars = &alpha,
    };
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

static void assert_values(const double *values, double first, double second, double third)
{
    const double wanted[COUNT] = {first, second, third};

    for (size_t i = 0; i < COUNT; i++) {
        assert_true(isnan(wanted[i]) ? isnan(values[i]) : values[i] == wanted[i]);
    }
}

static void an_addition_has_no_alpha(void **state)
{
    const struct oracle_problem problem = problem_of("add");
    double expected[COUNT] = {0}, magnitudes[COUNT] = {0};
    (void)state;

    gpugrade_oracle.expect(&problem, expected, magnitudes);
    assert_values(expected, 11.0, 18.0, 34.0);
    assert_values(magnitudes, 11.0, 22.0, 34.0);
}

static void saxpy_multiplies_x(void **state)
{
    const struct oracle_problem problem = problem_of("saxpy");
    double expected[COUNT] = {0}, magnitudes[COUNT] = {0};
    (void)state;

    gpugrade_oracle.expect(&problem, expected, magnitudes);
    assert_values(expected, 12.5, 15.0, 40.0);
    assert_values(magnitudes, 12.5, 25.0, 40.0);
}

static void an_element_needs_both_at_its_place(void **state)
{
    const struct oracle_problem problem = problem_of("add");
    struct oracle_need needs[2] = {{9, 9}, {9, 9}};
    (void)state;

    assert_int_equal(gpugrade_oracle.needs(&problem, 2, needs, 1), 2);
    assert_int_equal(needs[0].element, 2);
    assert_int_equal(needs[1].element, 9);
    assert_int_equal(gpugrade_oracle.needs(&problem, 1, needs, 2), 2);
    assert_int_equal(needs[1].input, 1);
    assert_int_equal(needs[1].element, 1);
}

static void mistakes_are_those_of_kernels_that_make_them(void **state)
{
    const struct oracle_problem add = problem_of("add"), saxpy = problem_of("saxpy");
    double values[COUNT];
    (void)state;

    assert_int_equal(mistake_of("a_twice")->compute(&add, values), 1);
    assert_values(values, 2.0, -4.0, 8.0);
    assert_int_equal(mistake_of("end_of_c")->compute(&add, values), 1);
    assert_values(values, 11.0, 18.0, NAN);
    assert_int_equal(mistake_of("c_reversed")->compute(&add, values), 1);
    assert_values(values, 34.0, 18.0, 11.0);
    assert_int_equal(mistake_of("alpha_truncated")->compute(&saxpy, values), 1);
    assert_values(values, 12.0, 16.0, 38.0);
    assert_int_equal(mistake_of("alpha_for_y")->compute(&saxpy, values), 1);
    assert_values(values, 26.0, 48.0, 79.0);
    assert_int_equal(mistake_of("y_forgotten")->compute(&saxpy, values), 1);
    assert_values(values, 2.5, -5.0, 10.0);
}

static void a_mistake_is_judged_in_its_exercise_only(void **state)
{
    const struct oracle_problem add = problem_of("add"), saxpy = problem_of("saxpy");
    double values[COUNT];
    (void)state;

    assert_int_equal(mistake_of("a_twice")->compute(&saxpy, values), 0);
    assert_int_equal(mistake_of("alpha_forgotten")->compute(&add, values), 0);
}

/* With alpha = 1 saxpy is the addition: to leave alpha out changes nothing. */
static void a_mistake_that_changes_nothing_is_not_judged(void **state)
{
    struct oracle_problem problem = problem_of("saxpy");
    const double one = 1.0;
    double values[COUNT];
    (void)state;

    problem.scalars = &one;
    assert_int_equal(mistake_of("alpha_forgotten")->compute(&problem, values), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_addition_has_no_alpha),
        cmocka_unit_test(saxpy_multiplies_x),
        cmocka_unit_test(an_element_needs_both_at_its_place),
        cmocka_unit_test(mistakes_are_those_of_kernels_that_make_them),
        cmocka_unit_test(a_mistake_is_judged_in_its_exercise_only),
        cmocka_unit_test(a_mistake_that_changes_nothing_is_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
