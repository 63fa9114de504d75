/* test_mandelbrot_oracle.c: reference/mandelbrot/oracle.c for an image that is computed by hand. */
#include "model/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 4, HEIGHT = 2, PIXELS = WIDTH * HEIGHT };

/* c is -2.5, -1.5, -0.5 or 0.5, plus 0 or i; at most ten steps. */
static const int64_t parameters[] = {WIDTH, HEIGHT};
static const double scalars[] = {-2.5, 0, 1.5, 2, 10};
static const size_t counts[] = {PIXELS};
static const struct oracle_problem problem = {
    .parameters = parameters, .output_count = PIXELS, .output_counts = counts, .scalars = scalars};

static void assert_counts(const double *values, const int *expected)
{
    for (int i = 0; i < PIXELS; i++) {
        assert_int_equal((int)values[i], expected[i]);
    }
}

static void counts_are_those_of_the_definition(void **state)
{
    static const int expected[PIXELS] = {1, 10, 10, 5, 1, 2, 4, 2};
    double values[PIXELS] = {0}, magnitudes[PIXELS] = {0};
    (void)state;

    gpugrade_oracle.expect(&problem, values, magnitudes);
    assert_counts(values, expected);
}

static void no_pixel_is_doubtful_that_is_far_from_the_border(void **state)
{
    unsigned char doubtful[PIXELS] = {0};
    (void)state;

    gpugrade_oracle.doubtful(&problem, 0, doubtful);
    for (int i = 0; i < PIXELS; i++) {
        assert_int_equal(doubtful[i], 0);
    }
}

/* Near the border float and double give different counts. */
static void pixels_at_the_border_are_doubtful(void **state)
{
    static const int64_t large[] = {64, 64};
    static const double view[] = {-0.75, 0.1, -0.74, 0.11, 1000};
    static const size_t pixels[] = {(size_t)64 * 64};
    static unsigned char doubtful[64 * 64];
    const struct oracle_problem border = {
        .parameters = large, .output_count = pixels[0], .output_counts = pixels, .scalars = view};
    int count = 0;
    (void)state;

    gpugrade_oracle.doubtful(&border, 0, doubtful);
    for (size_t i = 0; i < pixels[0]; i++) {
        count += doubtful[i];
    }
    assert_in_range(count, 1, 64 * 64 / 2);
}

static void assert_mistake(const char *name, const int *expected)
{
    double values[PIXELS];

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            const int is_judged = gpugrade_oracle.mistakes[i].compute(&problem, values);
            assert_int_equal(is_judged, expected != NULL);
            if (is_judged) {
                assert_counts(values, expected);
            }
            return;
        }
    }
    fail_msg("there is no mistake %s", name);
}

static void mistakes_by_their_definition(void **state)
{
    (void)state;

    assert_mistake("starts_at_c", (const int[PIXELS]){0, 10, 10, 4, 0, 1, 3, 1});
    assert_mistake("one_too_large", (const int[PIXELS]){2, 10, 10, 6, 2, 3, 5, 3});
    assert_mistake("inner_zero", (const int[PIXELS]){1, 0, 0, 5, 1, 2, 4, 2});
    assert_mistake("bound_2", (const int[PIXELS]){1, 1, 10, 4, 1, 1, 3, 2});
    assert_mistake("transposed", (const int[PIXELS]){1, 1, 10, 2, 10, 4, 5, 2});
    assert_mistake("upside_down", (const int[PIXELS]){1, 1, 1, 1, 1, 2, 4, 2});
    assert_mistake("whole_division", (const int[PIXELS]){1, 1, 1, 1, 1, 1, 1, 1});
}

static void what_changes_nothing_is_not_judged(void **state)
{
    (void)state;

    assert_mistake("at_most_255", NULL);
}

static void mistakes_have_texts(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        assert_true(strlen(gpugrade_oracle.mistakes[i].message) > 0);
        assert_true(strlen(gpugrade_oracle.mistakes[i].hint) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_definition),
        cmocka_unit_test(no_pixel_is_doubtful_that_is_far_from_the_border),
        cmocka_unit_test(pixels_at_the_border_are_doubtful),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(what_changes_nothing_is_not_judged),
        cmocka_unit_test(mistakes_have_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
