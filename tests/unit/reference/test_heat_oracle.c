/* test_heat_oracle.c: reference/heat/oracle.c against steps that are made by hand, and its
 * mistakes. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS_MAX = 64, SHAPES = 6, MISTAKES_MAX = 40 };

/* width, height, steps: only border, one inner point, wide, tall, no steps. */
static const int64_t shapes[SHAPES][3] = {{2, 5, 3}, {3, 3, 1}, {8, 5, 1},
                                          {8, 5, 2}, {5, 9, 3}, {6, 6, 0}};

struct heat_problem {
    float start[POINTS_MAX];
    const void *inputs[1];
    struct oracle_problem problem;
};

static void problem_init(struct heat_problem *made, const int64_t *shape)
{
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)shape[0], (uint64_t)shape[1], (uint64_t)shape[2]);
    for (int64_t i = 0; i < shape[0] * shape[1]; i++) {
        made->start[i] = (float)rng_range(&rng, -4095, 4095);
    }
    made->inputs[0] = made->start;
    made->problem = (struct oracle_problem){
        .parameters = shape,
        .inputs = made->inputs,
        .output_count = (size_t)(shape[0] * shape[1]),
    };
}

/* A field of 4 x 3 with two inner points, by hand. */
static void two_steps_give_what_they_give_by_hand(void **state)
{
    static const int64_t shape[3] = {4, 3, 2};
    static const float start[12] = {0, 8, -16, 0, 4, 100, 200, 12, 0, 24, 32, 0};
    struct heat_problem made;
    double expected[12] = {0}, magnitudes[12] = {0};
    (void)state;

    problem_init(&made, shape);
    memcpy(made.start, start, sizeof start);
    gpugrade_oracle.expect(&made.problem, expected, magnitudes);
    /* After one step: (8 + 24 + 4 + 200) / 4 = 59 and (-16 + 32 + 100 + 12) / 4 = 32. */
    for (size_t i = 0; i < 12; i++) {
        const double value = i == 5   ? (8 + 24 + 4 + 32) / 4.0
                             : i == 6 ? (-16 + 32 + 59 + 12) / 4.0
                                      : (double)start[i];
        assert_true(expected[i] == value);
        assert_true(magnitudes[i] >= fabs(value));
    }
    /* For magnitudes: (16 + 32 + 100 + 12) / 4 = 40. */
    assert_true(magnitudes[5] == (8 + 24 + 4 + 40) / 4.0);
}

/* What a point needs is what its value changes with. */
static void a_point_needs_what_it_changes_with(void **state)
{
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        struct heat_problem made;
        double before[POINTS_MAX], after[POINTS_MAX], magnitudes[POINTS_MAX];
        problem_init(&made, shapes[shape]);
        const size_t count = made.problem.output_count;
        gpugrade_oracle.expect(&made.problem, before, magnitudes);
        for (size_t i = 0; i < count; i++) {
            made.start[i] += 4096;
            gpugrade_oracle.expect(&made.problem, after, magnitudes);
            made.start[i] -= 4096;
            for (size_t element = 0; element < count; element++) {
                struct oracle_need needs[POINTS_MAX];
                int is_needed = 0;
                const size_t needed =
                    gpugrade_oracle.needs(&made.problem, element, needs, POINTS_MAX);
                for (size_t k = 0; k < needed; k++) {
                    is_needed += needs[k].input == 0 && needs[k].element == i;
                }
                assert_int_equal(is_needed, before[element] != after[element]);
            }
        }
    }
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
    static const int64_t one[3] = {3, 3, 1}, two[3] = {3, 3, 2}, many[3] = {3, 3, 99};
    static const struct {
        const char *name;
        double centre, corner;
    } given[] = {
        {"no_step_made", 6, 1},        {"sum_of_four", 20, 1},   {"division_of_ints", 0, 1},
        {"border_from_zeros", 5, 1.5}, {"up_twice", 3.5, 1},     {"left_twice", 4.5, 1},
        {"old_value_added", 11, 1},    {"border_is_zero", 5, 0},
    };
    struct heat_problem made;
    double values[9];
    (void)state;

    problem_init(&made, one);
    /* 1 2 3, 4 6 6, 7 8 9: the mean of the neighbours is 5. */
    for (int point = 0; point < 9; point++) {
        made.start[point] = point == 4 ? 6 : (float)(point + 1);
    }
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        assert_true(mistake_of(given[i].name)->compute(&made.problem, values));
        assert_true(values[4] == given[i].centre);
        assert_true(values[0] == given[i].corner);
    }
    /* A wrong number of steps: with one inner point, all fields but the first are the same. */
    assert_true(mistake_of("left_in_d_b")->compute(&made.problem, values));
    assert_true(values[4] == 6);
    made.problem.parameters = two;
    assert_false(mistake_of("left_in_d_b")->compute(&made.problem, values));
    assert_false(mistake_of("one_step_missing")->compute(&made.problem, values));
    made.problem.parameters = many;
    assert_false(mistake_of("sum_of_four")->compute(&made.problem, values));
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= MISTAKES_MAX);
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        int judged = 0;
        for (int shape = 0; shape < SHAPES; shape++) {
            struct heat_problem made;
            double expected[POINTS_MAX], magnitudes[POINTS_MAX], values[POINTS_MAX] = {0};
            problem_init(&made, shapes[shape]);
            if (gpugrade_oracle.mistakes[i].compute(&made.problem, values) == 0) {
                continue;
            }
            judged++;
            gpugrade_oracle.expect(&made.problem, expected, magnitudes);
            assert_true(memcmp(expected, values, made.problem.output_count * sizeof *values) != 0);
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no shape", gpugrade_oracle.mistakes[i].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_steps_give_what_they_give_by_hand),
        cmocka_unit_test(a_point_needs_what_it_changes_with),
        cmocka_unit_test(mistakes_give_what_they_say),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
