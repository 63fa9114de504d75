/* test_nbody_oracle.c: reference/nbody/oracle.c against sums that are worked out by hand, and its
 * mistakes. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BODY_NUMBERS = 4, AXES = 3 };

struct fixture {
    int64_t n;
    double softening;
    const void *inputs[1];
    size_t input_count, output_count;
    struct oracle_problem problem;
};

static void fixture_init(struct fixture *fixture, const float *bodies, int64_t n, double softening)
{
    fixture->n = n;
    fixture->softening = softening;
    fixture->inputs[0] = bodies;
    fixture->input_count = (size_t)(BODY_NUMBERS * n);
    fixture->output_count = (size_t)(AXES * n);
    fixture->problem = (struct oracle_problem){
        .parameters = &fixture->n,
        .inputs = fixture->inputs,
        .output_count = fixture->output_count,
        .launch = "nbody",
        .input_counts = &fixture->input_count,
        .output_counts = &fixture->output_count,
        .scalars = &fixture->softening,
        .case_id = "",
    };
}

/* Two bodies, 3 and 4 apart in x and y, and a softening of 12: the root is 13. */
static const float pair[] = {1, 1, 5, 2, 4, 5, 5, -7};

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-12 * fabs(expected);
}

static void two_bodies_pull_at_each_other(void **state)
{
    struct fixture fixture;
    const double cube = 13.0 * 13.0 * 13.0;
    double expected[2 * AXES] = {0};
    double magnitudes[2 * AXES] = {0};
    (void)state;

    fixture_init(&fixture, pair, 2, 12.0);
    gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
    assert_true(is_near(expected[0], -7 * 3 / cube));
    assert_true(is_near(expected[1], -7 * 4 / cube));
    assert_true(expected[2] == 0.0);
    assert_true(is_near(expected[3], 2 * -3 / cube));
    assert_true(is_near(expected[4], 2 * -4 / cube));
    for (int i = 0; i < 2 * AXES; i++) {
        assert_true(magnitudes[i] == fabs(expected[i]));
    }
}

static void a_body_alone_stays(void **state)
{
    struct fixture fixture;
    double expected[AXES] = {0};
    double magnitudes[AXES] = {0};
    (void)state;

    fixture_init(&fixture, pair, 1, 0.125);
    gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
    for (int i = 0; i < AXES; i++) {
        assert_true(expected[i] == 0.0 && magnitudes[i] == 0.0);
    }
}

static void every_acceleration_needs_all_bodies(void **state)
{
    struct fixture fixture;
    struct oracle_need list[2 * BODY_NUMBERS];
    (void)state;

    fixture_init(&fixture, pair, 2, 12.0);
    assert_int_equal(gpugrade_oracle.needs(&fixture.problem, 4, list, 2 * BODY_NUMBERS), 8);
    for (size_t i = 0; i < 2 * BODY_NUMBERS; i++) {
        assert_int_equal(list[i].input, 0);
        assert_int_equal(list[i].element, i);
    }
    assert_int_equal(gpugrade_oracle.needs(&fixture.problem, 4, list, 0), 8);
}

/* 1 if the mistake is judged; fills what it yields. */
static int mistaken(const struct fixture *fixture, const char *name, double *out_values)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return gpugrade_oracle.mistakes[i].compute(&fixture->problem, out_values) != 0;
}

static void formulas_that_are_wrong(void **state)
{
    static const struct {
        const char *name;
        double x_of_first;
    } mistakes[] = {
        {"pushed_away", 7 * 3 / 2197.0},
        {"exponent_one_half", -7 * 3 / 13.0},
        {"exponent_one", -7 * 3 / 169.0},
        {"exponent_three", -7 * 3 / (169.0 * 169 * 169)},
        {"softening_left_out", -7 * 3 / 125.0},
        {"mass_of_own", 2 * 3 / 2197.0},
        {"mass_left_out", 3 / 2197.0},
        {"first_missing", -7 * 3 / 2197.0},
        {"earlier_only", 0.0},
        {"later_only", -7 * 3 / 2197.0},
        {"last_missing", 0.0},
    };
    struct fixture fixture;
    double values[2 * AXES];
    (void)state;

    fixture_init(&fixture, pair, 2, 12.0);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_true(mistaken(&fixture, mistakes[i].name, values));
        assert_true(is_near(values[0], mistakes[i].x_of_first));
    }
    assert_true(mistaken(&fixture, "softening_not_squared", values));
    assert_true(is_near(values[0], -7 * 3 / (37.0 * sqrt(37.0))));
    assert_true(mistaken(&fixture, "x_for_all", values));
    assert_true(is_near(values[1], values[0]));

    fixture_init(&fixture, pair, 2, 1.0);
    assert_false(mistaken(&fixture, "softening_not_squared", values));
    assert_false(mistaken(&fixture, "z_not_in_distance", values)); /* both have the same z */
}

/* Bodies on a line, so that all pulls in x differ. */
static void parts_that_are_missing(void **state)
{
    enum { COUNT = 130 };
    static float line[BODY_NUMBERS * COUNT];
    static double values[AXES * COUNT], whole[AXES * COUNT], unused[AXES * COUNT];
    struct fixture fixture, first_part;
    (void)state;

    for (int i = 0; i < COUNT; i++) {
        line[BODY_NUMBERS * i] = (float)i;
        line[BODY_NUMBERS * i + 3] = (float)(i + 1);
    }
    fixture_init(&fixture, line, COUNT, 2.0);
    fixture_init(&first_part, line, 128, 2.0);
    gpugrade_oracle.expect(&first_part.problem, whole, unused);
    assert_true(mistaken(&fixture, "last_tile_missing_128", values));
    for (int i = 0; i < AXES * 128; i++) {
        assert_true(values[i] == whole[i]);
    }
    assert_true(mistaken(&fixture, "first_tile_only_128", values));
    assert_true(values[AXES * 5] == whole[AXES * 5]);

    memset(whole, 0, sizeof whole);
    gpugrade_oracle.expect(&fixture.problem, whole, unused);
    assert_true(mistaken(&fixture, "last_block_missing_64", values));
    assert_true(values[AXES * 127] == whole[AXES * 127]);
    assert_true(isnan(values[AXES * 128]));
    assert_true(mistaken(&fixture, "first_block_only_64", values));
    assert_true(isnan(values[AXES * 64]));
    assert_true(mistaken(&fixture, "own_tile_only_64", values));
    assert_true(values[AXES * 129] < 0 && values[AXES * 129] > whole[AXES * 129]);
    assert_true(mistaken(&fixture, "last_of_tile_missing_64", values));

    fixture_init(&fixture, line, 128, 2.0);
    assert_false(mistaken(&fixture, "last_tile_missing_64", values));
    assert_false(mistaken(&fixture, "last_block_missing_128", values));
    assert_false(mistaken(&fixture, "first_tile_only_128", values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_pull_at_each_other),
        cmocka_unit_test(a_body_alone_stays),
        cmocka_unit_test(every_acceleration_needs_all_bodies),
        cmocka_unit_test(formulas_that_are_wrong),
        cmocka_unit_test(parts_that_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
