/* test_image_oracle.c: reference/image/oracle.c against values worked out by hand. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 6, WHITE = 5, PIXELS_MAX = 40 * 40 };

/* Width, height and radius: one pixel, the images below, a row, a column, several blocks; a white
 * one with the largest windows. */
static const int64_t shapes[SHAPES][3] = {{1, 1, 8},  {3, 2, 1},   {40, 1, 2},
                                          {1, 40, 3}, {40, 36, 5}, {20, 20, 8}};

/* Two rows of three pixels. */
static const uint8_t small_gray[] = {10, 20, 30, 40, 50, 60};
static const uint8_t small_rgb[] = {10, 20, 30, 255, 255, 255, 0, 0,   0, /* */
                                    90, 80, 70, 1,   2,   3,   5, 250, 9};

struct image_problem {
    uint8_t in[3 * PIXELS_MAX];
    const void *inputs[1];
    struct oracle_problem problem;
};

static void problem_init(struct image_problem *made, const char *launch, int shape)
{
    const size_t pixels = (size_t)(shapes[shape][0] * shapes[shape][1]);
    const int is_gray = strcmp(launch, "gray") == 0;
    struct rng rng;

    rng_init(&rng, 1, (uint64_t)shape, 0, 0);
    for (size_t i = 0; i < 3 * pixels; i++) {
        made->in[i] = shape == WHITE ? 255 : (uint8_t)rng_range(&rng, 0, 255);
    }
    if (shape == 1) {
        memcpy(made->in, is_gray ? small_rgb : small_gray, is_gray ? 18 : 6);
    }
    made->inputs[0] = made->in;
    made->problem = (struct oracle_problem){
        .parameters = shapes[shape],
        .inputs = made->inputs,
        .output_count = pixels,
        .launch = launch,
    };
}

static void expected_values_are_those_worked_out_by_hand(void **state)
{
    static const double grays[] = {18, 255, 0, 82, 2, 149};
    static const double means[] = {30, 35, 40, 30, 35, 40};
    struct image_problem made;
    double expected[6] = {0};
    (void)state;

    problem_init(&made, "gray", 1);
    gpugrade_oracle.expect(&made.problem, expected, NULL);
    assert_memory_equal(expected, grays, sizeof grays);
    problem_init(&made, "blur", 1);
    gpugrade_oracle.expect(&made.problem, expected, NULL);
    assert_memory_equal(expected, means, sizeof means);
}

static void a_pixel_needs_its_colours_or_its_window(void **state)
{
    static const size_t of_corner[] = {0, 1, 3, 4};
    struct image_problem made;
    struct oracle_need needs[9] = {{9, 9}};
    (void)state;

    problem_init(&made, "gray", 1);
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 2, needs, 9), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(needs[i].element, 6 + i);
    }
    problem_init(&made, "blur", 1);
    assert_int_equal(gpugrade_oracle.needs(&made.problem, 0, needs, 9), 4);
    for (int i = 0; i < 4; i++) {
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
static double mistaken(const char *launch, const char *name, size_t pixel)
{
    struct image_problem made;
    double values[6] = {0};

    problem_init(&made, launch, 1);
    assert_true(mistake_named(name)->compute(&made.problem, values));
    return values[pixel];
}

static void mistakes_by_their_definition(void **state)
{
    (void)state;

    assert_true(mistaken("gray", "swapped", 0) == 22); /* 0.299 * 30 + 0.587 * 20 + 0.114 * 10 */
    assert_true(mistaken("gray", "plain_mean", 0) == 20);
    assert_true(mistaken("gray", "narrow", 4) == 226); /* the bytes 4 to 6 are 255, 255 and 0 */
    assert_true(mistaken("blur", "divided_by_all", 0) == 13); /* 120 / 9 */
    assert_true(mistaken("blur", "along_rows", 0) == 15);
    assert_true(mistaken("blur", "array_only", 0) == 30); /* 10 20 30 40 50, and nothing before */
    assert_true(mistaken("blur", "ahead", 0) == 35);
    assert_true(isnan(mistaken("blur", "border_unwritten", 0)));
}

static void what_float_may_round_either_way_is_not_judged(void **state)
{
    struct image_problem made;
    double values[400] = {0};
    (void)state;

    problem_init(&made, "gray", WHITE); /* 0.299 * 255 + 0.587 * 255 + 0.114 * 255 is 255, or not */
    assert_false(mistake_named("swapped_down")->compute(&made.problem, values));
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    static const char *const launches[] = {"gray", "blur"};
    static double expected[PIXELS_MAX], values[PIXELS_MAX];
    static struct image_problem made;
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;

        assert_true(strlen(mistake->message) > 0 && strlen(mistake->hint) > 0);
        for (int trial = 0; trial < 2 * SHAPES; trial++) {
            problem_init(&made, launches[trial % 2], trial / 2);
            if (!mistake->compute(&made.problem, values)) {
                continue;
            }
            gpugrade_oracle.expect(&made.problem, expected, NULL);
            int wrong = 0;
            for (size_t k = 0; k < made.problem.output_count; k++) {
                wrong += !(fabs(values[k] - expected[k]) <= 1.0);
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
        cmocka_unit_test(expected_values_are_those_worked_out_by_hand),
        cmocka_unit_test(a_pixel_needs_its_colours_or_its_window),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(what_float_may_round_either_way_is_not_judged),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
