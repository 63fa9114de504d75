/* test_adjacent_difference_oracle.c: reference/adjacent_difference/oracle.c against plain loops. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 7, ELEMENTS_MAX = 64, MISTAKES_MAX = 40 };

/* Elements and threads of a block: one element, less than a block, whole blocks, one more, one
 * less, blocks of one thread. */
static const int64_t shapes[SHAPES][2] = {{1, 8},  {5, 8},   {24, 8}, {25, 8},
                                          {31, 8}, {40, 16}, {6, 1}};

struct sequence_problem {
    int32_t input[ELEMENTS_MAX];
    const void *inputs[1];
    struct oracle_problem problem;
};

static void problem_init(struct sequence_problem *made, int shape)
{
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)shape, 0, 0);
    for (int64_t i = 0; i < shapes[shape][0]; i++) {
        made->input[i] = (int32_t)rng_range(&rng, -4095, 4095);
    }
    made->inputs[0] = made->input;
    made->problem = (struct oracle_problem){
        .parameters = shapes[shape],
        .block = shapes[shape][1],
        .inputs = made->inputs,
        .output_count = (size_t)shapes[shape][0],
    };
}

static void expected_values_are_those_of_the_definition(void **state)
{
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        struct sequence_problem made;
        double expected[ELEMENTS_MAX];
        double magnitudes[ELEMENTS_MAX];

        problem_init(&made, shape);
        gpugrade_oracle.expect(&made.problem, expected, magnitudes);
        assert_true(expected[0] == (double)made.input[0]);
        for (int64_t i = 1; i < shapes[shape][0]; i++) {
            assert_true(expected[i] == (double)(made.input[i] - made.input[i - 1]));
            assert_true(magnitudes[i] >= fabs(expected[i]));
        }
    }
}

static void an_element_needs_itself_and_the_one_before(void **state)
{
    struct sequence_problem made;
    struct oracle_need needs[2] = {{9, 9}, {9, 9}};
    (void)state;

    problem_init(&made, 2);
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 0, needs, 2), 1);
    assert_int_equal(needs[0].element, 0);
    assert_int_equal(needs[1].element, 9);
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 8, needs, 2), 2);
    assert_int_equal(needs[0].input, 0);
    assert_int_equal(needs[0].element, 8);
    assert_int_equal(needs[1].element, 7);
    needs[1].element = 9;
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 8, needs, 1), 2);
    assert_int_equal(needs[1].element, 9);
}

static int same_values(const double *left, const double *right, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(left[i]) != isnan(right[i]) || (!isnan(left[i]) && left[i] != right[i])) {
            return 0;
        }
    }
    return 1;
}

/* What a mistake yields for every shape. */
struct outcome {
    int judged[SHAPES];
    double values[SHAPES][ELEMENTS_MAX];
};
static struct outcome outcomes[MISTAKES_MAX];

static int compute_all(void **state)
{
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= MISTAKES_MAX);
    for (int shape = 0; shape < SHAPES; shape++) {
        struct sequence_problem made;
        problem_init(&made, shape);
        for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
            outcomes[i].judged[shape] =
                gpugrade_oracle.mistakes[i].compute(&made.problem, outcomes[i].values[shape]);
        }
    }
    return 0;
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;

        assert_true(strlen(mistake->name) > 0 && strlen(mistake->message) > 0 &&
                    strlen(mistake->hint) > 0);
        for (int shape = 0; shape < SHAPES; shape++) {
            struct sequence_problem made;
            double expected[ELEMENTS_MAX];
            double magnitudes[ELEMENTS_MAX];
            if (!outcomes[i].judged[shape]) {
                continue;
            }
            judged++;
            problem_init(&made, shape);
            gpugrade_oracle.expect(&made.problem, expected, magnitudes);
            assert_false(
                same_values(expected, outcomes[i].values[shape], made.problem.output_count));
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no shape", mistake->name);
        }
    }
}

static int are_the_same(const struct outcome *left, const struct outcome *right)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        if (left->judged[shape] != right->judged[shape] ||
            (left->judged[shape] &&
             !same_values(left->values[shape], right->values[shape], (size_t)shapes[shape][0]))) {
            return 0;
        }
    }
    return 1;
}

static void no_two_mistakes_are_the_same(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        for (size_t j = i + 1; j < gpugrade_oracle.mistake_count; j++) {
            if (are_the_same(&outcomes[i], &outcomes[j])) {
                fail_msg("mistakes %s and %s are the same", gpugrade_oracle.mistakes[i].name,
                         gpugrade_oracle.mistakes[j].name);
            }
        }
    }
}

static const struct outcome *outcome_of(const char *name)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return &outcomes[i];
}

/* Three blocks of 8 and one element more. */
static void mistakes_at_block_borders_by_their_definition(void **state)
{
    const struct outcome *copied = outcome_of("border_copied");
    const struct outcome *of_first = outcome_of("border_of_first");
    const struct outcome *missing = outcome_of("last_block_missing");
    struct sequence_problem made;
    (void)state;

    problem_init(&made, 3);
    for (int i = 1; i < 25; i++) {
        const int32_t *input = made.input;
        double right = (double)(input[i] - input[i - 1]);
        double first = i % 8 == 0 ? (double)(input[i] - input[i - 8]) : right;
        assert_true(copied->values[3][i] == (i % 8 == 0 ? (double)input[i] : right));
        assert_true(of_first->values[3][i] == first);
        assert_true(i == 24 ? isnan(missing->values[3][i]) : missing->values[3][i] == right);
    }
}

/* The last block's threads would read what nobody has written. */
static void what_is_not_determined_is_not_judged(void **state)
{
    (void)state;

    assert_true(outcome_of("border_wraps")->judged[2]);
    assert_false(outcome_of("border_wraps")->judged[3]);
    assert_false(outcome_of("border_copied")->judged[1]);
    assert_false(outcome_of("last_block_missing")->judged[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_values_are_those_of_the_definition),
        cmocka_unit_test(an_element_needs_itself_and_the_one_before),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
        cmocka_unit_test(no_two_mistakes_are_the_same),
        cmocka_unit_test(mistakes_at_block_borders_by_their_definition),
        cmocka_unit_test(what_is_not_determined_is_not_judged),
    };

    return cmocka_run_group_tests(tests, compute_all, NULL);
}
