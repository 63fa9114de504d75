/* test_streams_oracle.c: reference/streams/oracle.c against numbers that are worked out by hand, and
 * its mistakes. */
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

enum { COUNT = 10 };

/* Their roots are 0 to 9. */
static const float squares[COUNT] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};

struct fixture {
    int64_t parameters[2]; /* n, chunks */
    const void *inputs[1];
    struct oracle_problem problem;
};

static void fixture_init(struct fixture *fixture, int64_t n, int64_t chunks)
{
    fixture->parameters[0] = n;
    fixture->parameters[1] = chunks;
    fixture->inputs[0] = squares;
    fixture->problem = (struct oracle_problem){
        .parameters = fixture->parameters,
        .inputs = fixture->inputs,
        .output_count = (size_t)n,
        .launch = "process",
        .case_id = "",
    };
}

static void each_element_is_twice_the_root_and_one(void **state)
{
    struct fixture fixture;
    struct oracle_need need = {9, 9};
    double expected[COUNT] = {0};
    double magnitudes[COUNT] = {0};
    (void)state;

    fixture_init(&fixture, COUNT, 3);
    gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
    for (int i = 0; i < COUNT; i++) {
        assert_true(expected[i] == 2.0 * i + 1.0);
        assert_true(magnitudes[i] == expected[i]);
        assert_int_equal(gpugrade_oracle.needs(&fixture.problem, (size_t)i, &need, 1), 1);
        assert_int_equal(need.input, 0);
        assert_int_equal(need.element, i);
    }
    assert_int_equal(gpugrade_oracle.needs(&fixture.problem, 0, NULL, 0), 1);
}

/* True if the mistake is judged; fills what it yields. */
static bool mistaken(const struct fixture *fixture, const char *name, double *out_values)
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
        double of_25;
    } mistakes[] = {
        {"plain_copy", 25.0},       {"one_left_out", 10.0},    {"two_left_out", 6.0},
        {"root_left_out", 51.0},    {"one_added_first", 12.0}, {"root_of_double", 1.0 + 7.0710678},
        {"root_of_all", 7.1414284},
    };
    struct fixture fixture;
    double values[COUNT];
    (void)state;

    fixture_init(&fixture, COUNT, 3);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_true(mistaken(&fixture, mistakes[i].name, values));
        assert_true(fabs(values[5] - mistakes[i].of_25) < 1e-6);
    }
    fixture_init(&fixture, 1, 1); /* 0 alone */
    assert_false(mistaken(&fixture, "two_left_out", values));
}

/* Which elements are written, as a text: a digit if h_in of that index made it, a dot if nothing
 * did. */
static void assert_made_of(int64_t n, int64_t chunks, const char *name, const char *made)
{
    struct fixture fixture;
    double values[COUNT];

    fixture_init(&fixture, n, chunks);
    assert_true(mistaken(&fixture, name, values));
    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(isnan(values[i]) ? '.' : '0' + (int)((values[i] - 1.0) / 2.0), made[i]);
    }
}

static void chunks_that_are_wrong(void **state)
{
    struct fixture fixture;
    double values[COUNT];
    (void)state;

    assert_made_of(10, 3, "remainder_missing", "012345678.");
    assert_made_of(10, 3, "first_chunk_only", "0123......");
    assert_made_of(10, 3, "first_chunk_only_down", "012.......");
    assert_made_of(10, 3, "first_chunk_everywhere", "0123012301");
    assert_made_of(10, 3, "last_chunk_missing", "01234567..");
    assert_made_of(10, 3, "first_chunk_missing", "....456789");
    assert_made_of(10, 3, "last_of_chunk_missing", "012.456.8.");
    assert_made_of(10, 3, "last_missing", "012345678.");
    assert_made_of(10, 3, "every_other_chunk", "0123....89");
    assert_made_of(8, 2, "quarter_of_chunk", "0...4...");
    assert_made_of(3, 7, "remainder_missing", "...");

    fixture_init(&fixture, 10, 3);
    assert_false(mistaken(&fixture, "quarter_of_chunk", values)); /* half an element is left */
    fixture_init(&fixture, 9, 3);
    assert_false(mistaken(&fixture, "remainder_missing", values));
    fixture_init(&fixture, 9, 1);
    assert_false(mistaken(&fixture, "first_chunk_everywhere", values));
    assert_false(mistaken(&fixture, "every_other_chunk", values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_is_twice_the_root_and_one),
        cmocka_unit_test(formulas_that_are_wrong),
        cmocka_unit_test(chunks_that_are_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
