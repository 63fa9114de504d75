/* test_braces.c: what stands in braces in the texts of rubrics. */
#include "model/braces.h"

#include "model/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric_parameter parameters[] = {{.name = "a"}, {.name = "b"}};
static const struct rubric rubric = {.parameters = parameters, .parameter_count = 2};
static const int64_t values[RUBRIC_PARAMETERS_MAX] = {3, -4};

static void expressions_have_values(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(braces_fill_case(arena, &rubric, values, "{a} and {a * b}"), "3 and -12");
    assert_string_equal(braces_fill_case(arena, &rubric, values, "{a / 2}{b}"), "1.5-4");
    assert_string_equal(braces_fill_case(arena, &rubric, values, "no } brace"), "no } brace");
    assert_string_equal(braces_fill_case(arena, &rubric, values, ""), "");
    arena_free(arena);
}

static void what_has_no_value_is_refused(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_null(braces_fill_case(arena, &rubric, values, "{c}"));
    assert_null(braces_fill_case(arena, &rubric, values, "{a / 0}"));
    assert_null(braces_fill_case(arena, &rubric, values, "{}"));
    assert_null(braces_fill_case(arena, &rubric, values, "1 {a"));
    assert_null(braces_fill_case(arena, &rubric, values, "{a{b}}"));
    arena_free(arena);
}

static void a_case_is_drawn_by_the_seed(void **state)
{
    static const struct rubric_case cases[] = {
        {.id = "one", .repeat = 2, .values = {{.minimum = 1, .maximum = 1}}},
        {.id = "two", .repeat = 2, .values = {{.minimum = 10, .maximum = 10000000}}},
    };
    struct rubric drawn = rubric;
    struct arena *arena = arena_new();
    int64_t first[RUBRIC_PARAMETERS_MAX], again[RUBRIC_PARAMETERS_MAX];

    (void)state;
    drawn.cases = cases;
    drawn.case_count = 2;
    case_draw_first(arena, &drawn, 7, 1, first);
    case_draw_first(arena, &drawn, 7, 1, again);
    assert_memory_equal(first, again, sizeof first);
    assert_in_range(first[0], 10, 10000000);
    case_draw_first(arena, &drawn, 8, 1, again);
    assert_int_not_equal(first[0], again[0]);
    case_draw_first(arena, &drawn, 7, 0, again);
    assert_int_equal(again[0], 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_values),
        cmocka_unit_test(what_has_no_value_is_refused),
        cmocka_unit_test(a_case_is_drawn_by_the_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
