/* test_program_build.c: for which values a whole program is built first. */
#include "submission/program_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LAUNCHES = 3 };

static struct arena *arena;
static struct rubric_override overrides[3];
static struct rubric_program programs[2];
static struct rubric_parameter parameters[2];
static struct rubric_launch launches[LAUNCHES];
static struct rubric rubric;

static const struct expression *parse(const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(arena, text, &expression, &offset, NULL), ERROR_NONE);
    return expression;
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    overrides[0] = (struct rubric_override){"WIDTH", parse("2 * n")};
    overrides[1] = (struct rubric_override){"EDGE", parse("edge")};
    overrides[2] = (struct rubric_override){"PARTS", parse("n / block")};
    programs[0] = (struct rubric_program){.id = "linked"};
    programs[1] =
        (struct rubric_program){.id = "whole", .overrides = overrides, .override_count = 3};
    parameters[0] = (struct rubric_parameter){.name = "n", .unit = parse("block")};
    parameters[1] = (struct rubric_parameter){.name = "edge"};
    launches[0] = (struct rubric_launch){.program = 0, .has_first = true, .first_values = {1, 2}};
    launches[1] = (struct rubric_launch){.program = 1};
    launches[2] = (struct rubric_launch){
        .program = 1, .has_first = true, .first_values = {96, 16}, .block = parse("edge")};
    rubric = (struct rubric){.programs = programs,
                             .program_count = 2,
                             .parameters = parameters,
                             .parameter_count = 2,
                             .launches = launches,
                             .launch_count = LAUNCHES};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void the_first_shape_gives_the_first_values(void **state)
{
    int64_t values[RUBRIC_OVERRIDES_MAX] = {0};
    (void)state;

    assert_true(program_first_values(&rubric, 1, values));
    assert_int_equal(values[0], 192);
    assert_int_equal(values[1], 16);
    assert_int_equal(values[2], 6);
}

static void without_it_a_program_is_built_as_it_is(void **state)
{
    int64_t values[RUBRIC_OVERRIDES_MAX] = {77};
    (void)state;

    assert_false(program_first_values(&rubric, 0, values)); /* no overrides */
    launches[2].has_first = false;
    assert_false(program_first_values(&rubric, 1, values));
    launches[2].has_first = true;
    launches[2].block = NULL; /* PARTS needs it */
    assert_false(program_first_values(&rubric, 1, values));
    assert_int_equal(values[0], 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_shape_gives_the_first_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_it_a_program_is_built_as_it_is, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
