/* test_convolution_oracle.c: reference/convolution/oracle.c against sums worked out by hand. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 6, PIXELS_MAX = 40 * 40 };

/* Width, height, radius and seed: one pixel, the image below, a row, a column, several blocks. */
static const int64_t shapes[SHAPES][4] = {{1, 1, 4, 5},  {3, 2, 1, 5},   {40, 1, 2, 7},
                                          {1, 40, 3, 9}, {40, 36, 1, 3}, {35, 40, 4, 11}};

/* The mask of radius 1 that the seed 5 makes:    7 -5  0
 *                                                5 -7 -2
 *                                                3  8 -4 */
static const float small_image[] = {1, 2, 3, 4, 5, 6}; /* two rows of three */

struct image_problem {
    float in[PIXELS_MAX];
    const void *inputs[1];
    struct oracle_problem problem;
};

static void problem_init(struct image_problem *made, int shape)
{
    const size_t pixels = (size_t)(shapes[shape][0] * shapes[shape][1]);
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)shape, 0, 0);
    for (size_t i = 0; i < pixels; i++) {
        made->in[i] = shape == 1 ? small_image[i] : (float)rng_range(&rng, -4095, 4095);
    }
    made->inputs[0] = made->in;
    made->problem = (struct oracle_problem){
        .parameters = shapes[shape],
        .inputs = made->inputs,
        .output_count = pixels,
        .launch = "convolve",
    };
}

static void expected_sums_are_those_worked_out_by_hand(void **state)
{
    struct image_problem made;
    double expected[6] = {0};
    double magnitudes[6] = {0};
    (void)state;

    problem_init(&made, 1);
    gpugrade_oracle.expect(&made.problem, expected, magnitudes);
    assert_true(expected[0] == -7 * 1 - 2 * 2 + 8 * 4 - 4 * 5);
    assert_true(magnitudes[0] == 7 + 4 + 32 + 20);
    assert_true(expected[4] == 7 * 1 - 5 * 2 + 5 * 4 - 7 * 5 - 2 * 6);
    assert_true(magnitudes[4] == 7 + 10 + 20 + 35 + 12);
}

static void a_pixel_needs_its_window_inside_of_the_image(void **state)
{
    static const size_t of_corner[] = {0, 1, 3, 4};
    struct image_problem made;
    struct oracle_need needs[9] = {{9, 9}};
    (void)state;

    problem_init(&made, 1);
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 0, needs, 9), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(needs[i].input, 0);
        assert_int_equal(needs[i].element, of_corner[i]);
    }
    needs[1].element = 99;
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 4, needs, 1), 6);
    assert_int_equal(needs[1].element, 99);
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

/* What a mistake makes of one pixel of the small image. */
static double mistaken(const char *name, size_t pixel)
{
    struct image_problem made;
    double values[6] = {0};

    problem_init(&made, 1);
    assert_true(mistake_named(name)->compute(&made.problem, values));
    return values[pixel];
}

static void mistakes_by_their_definition(void **state)
{
    (void)state;

    assert_true(mistaken("transposed", 0) == -7 * 1 + 8 * 2 - 2 * 4 - 4 * 5);
    assert_true(mistaken("flipped", 0) == -7 * 1 + 5 * 2 - 5 * 4 + 7 * 5);
    assert_true(mistaken("unset", 0) == 0);
    assert_true(mistaken("late", 0) == 32 * (1 + 2 + 4 + 5));
    assert_true(mistaken("quarter", 4) == 7 * 1 - 5 * 2);
    assert_true(mistaken("array_only", 0) == -7 * 1 - 2 * 2 + 3 * 3 + 8 * 4 - 4 * 5);
    assert_true(mistaken("ahead", 0) == 7 * 1 - 5 * 2 + 5 * 4 - 7 * 5 - 2 * 6);
    assert_true(mistaken("last_column", 0) == -7 * 1 + 8 * 4);
    assert_true(isnan(mistaken("border_unwritten", 0)));
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    static double expected[PIXELS_MAX], magnitudes[PIXELS_MAX], values[PIXELS_MAX];
    struct image_problem made;
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;

        assert_true(strlen(mistake->message) > 0 && strlen(mistake->hint) > 0);
        for (int shape = 0; shape < SHAPES; shape++) {
            problem_init(&made, shape);
            if (!mistake->compute(&made.problem, values)) {
                continue;
            }
            memset(expected, 0, sizeof expected);
            memset(magnitudes, 0, sizeof magnitudes);
            gpugrade_oracle.expect(&made.problem, expected, magnitudes);
            int wrong = 0;
            for (size_t k = 0; k < made.problem.output_count; k++) {
                wrong += values[k] != expected[k];
            }
            assert_true(wrong > 0);
            judged++;
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no shape", mistake->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_sums_are_those_worked_out_by_hand),
        cmocka_unit_test(a_pixel_needs_its_window_inside_of_the_image),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
