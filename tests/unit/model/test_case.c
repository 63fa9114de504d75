/* test_case.c: cases drawn by a seed, and their numbers in elements. */
#include "model/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct expression *parse(struct arena *arena, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(arena, text, &expression, &offset, NULL), ERROR_NONE);
    return expression;
}

/* Two parameters: "h" in blocks, "w" in elements. */
static struct rubric make_rubric(struct arena *arena, const struct rubric_case *cases,
                                 size_t case_count)
{
    struct rubric_parameter *parameters = arena_array(arena, 2, sizeof *parameters);

    parameters[0] = (struct rubric_parameter){"h", parse(arena, "block")};
    parameters[1] = (struct rubric_parameter){"w", NULL};
    return (struct rubric){
        .parameters = parameters, .parameter_count = 2, .cases = cases, .case_count = case_count};
}

static const struct rubric_case two_cases[] = {
    {.id = "fixed", .repeat = 1, .values = {{3, 3}, {100, 100}}},
    {.id = "drawn", .repeat = 50, .values = {{1, 3}, {2, 4}}, .distinct = true},
};

static void test_draws(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const struct drawn_case *cases = NULL;
    size_t count = 0;
    int seen[4][5] = {{0}};

    (void)state;
    cases_draw(arena, &rubric, 7, &cases, &count);
    assert_int_equal(count, 51);
    assert_int_equal(cases[0].case_index, 0);
    assert_int_equal(cases[0].units[0], 3);
    assert_int_equal(cases[0].units[1], 100);
    for (size_t i = 1; i < count; i++) {
        assert_int_equal(cases[i].case_index, 1);
        assert_int_equal(cases[i].repetition, i - 1);
        assert_in_range(cases[i].units[0], 1, 3);
        assert_in_range(cases[i].units[1], 2, 4);
        assert_int_not_equal(cases[i].units[0], cases[i].units[1]);
        seen[cases[i].units[0]][cases[i].units[1]]++;
    }
    for (int h = 1; h <= 3; h++) {
        for (int w = 2; w <= 4; w++) {
            assert_true(h == w || seen[h][w] > 0);
        }
    }
    arena_free(arena);
}

static void test_seeds(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const struct drawn_case *a = NULL, *b = NULL, *c = NULL;
    size_t count = 0;
    int different = 0;

    (void)state;
    cases_draw(arena, &rubric, 7, &a, &count);
    cases_draw(arena, &rubric, 7, &b, &count);
    cases_draw(arena, &rubric, 8, &c, &count);
    for (size_t i = 0; i < count; i++) {
        assert_memory_equal(a[i].units, b[i].units, sizeof a[i].units);
        different += memcmp(a[i].units, c[i].units, sizeof a[i].units) != 0 ? 1 : 0;
    }
    assert_true(different > 10);
    arena_free(arena);
}

static void test_distinct_fits(void **state)
{
    static const struct {
        struct range ranges[4];
        size_t count;
        bool fits;
    } rows[] = {
        {{{1, 1}}, 1, true},
        {{{1, 1}, {1, 1}}, 2, false},
        {{{1, 2}, {1, 2}}, 2, true},
        {{{1, 2}, {1, 2}, {1, 2}}, 3, false},
        {{{1, 3}, {1, 1}, {1, 2}}, 3, true}, /* only 3, 1, 2 */
        {{{1, 9}, {2, 2}, {2, 3}, {3, 3}}, 4, false},
        {{{2, 2}, {1, 3}, {3, 3}, {1, 4}}, 4, true},
        {{{5, 9}, {1, 9}, {1, 2}, {1, 1}}, 4, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rubric_case drawn_from = {.id = "c", .repeat = 1, .distinct = true};
        memcpy(drawn_from.values, rows[i].ranges, sizeof rows[i].ranges);
        assert_int_equal(case_ranges_fit(&drawn_from, rows[i].count), rows[i].fits);
    }
}

static void test_parameters(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    struct drawn_case drawn = {.units = {3, 7}};
    int64_t elements[RUBRIC_PARAMETERS_MAX] = {-1, -1};

    (void)state;
    assert_true(case_parameters(&rubric, &drawn, 16, elements));
    assert_int_equal(elements[0], 48);
    assert_int_equal(elements[1], 7);
    assert_true(case_parameters(&rubric, &drawn, 8, elements));
    assert_int_equal(elements[0], 24);
    elements[0] = -1;
    assert_false(case_parameters(&rubric, &drawn, 0, elements)); /* the edge is not known yet */
    drawn.units[0] = INT64_MAX / 8;
    assert_false(case_parameters(&rubric, &drawn, 16, elements));
    assert_int_equal(elements[0], -1);
    arena_free(arena);
}

static void test_scope(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const int64_t elements[] = {48, 7};
    struct case_scope scope = {.rubric = &rubric, .parameters = elements, .block = 16};
    double value = 0;
    const char *unknown = NULL;

    (void)state;
    assert_true(
        expression_evaluate(parse(arena, "h / block + w"), case_lookup, &scope, &value, &unknown));
    assert_true(value == 10);
    assert_false(
        expression_evaluate(parse(arena, "threads"), case_lookup, &scope, &value, &unknown));
    assert_string_equal(unknown, "threads");
    scope.threads = 64;
    assert_true(case_lookup(&scope, "threads", &value));
    assert_true(value == 64);
    scope.parameters = NULL;
    assert_false(case_lookup(&scope, "h", &value));
    assert_true(case_lookup(&scope, "block", &value));
    scope.block = 0;
    assert_false(case_lookup(&scope, "block", &value));
    arena_free(arena);
}

static void test_timing_parameters(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    struct rubric_criterion criterion = {
        .timing_shape = {parse(arena, "32 * ceil(multiprocessors / 2)"), parse(arena, "1024")}};
    int64_t values[RUBRIC_PARAMETERS_MAX] = {-1, -1};

    (void)state;
    assert_true(case_timing_parameters(&rubric, &criterion, 132, values));
    assert_int_equal(values[0], 2112);
    assert_int_equal(values[1], 1024);
    assert_true(case_timing_parameters(&rubric, &criterion, 7, values));
    assert_int_equal(values[0], 128);
    static const char *const refused[] = {
        "multiprocessors / 2", "multiprocessors - 7",      "block", "h",
        "2147483648",          "1 / (multiprocessors - 7)"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        criterion.timing_shape[1] = parse(arena, refused[i]);
        assert_false(case_timing_parameters(&rubric, &criterion, 7, values));
        assert_int_equal(values[0], 128); /* untouched */
    }
    criterion.timing_shape[1] = NULL;
    assert_false(case_timing_parameters(&rubric, &criterion, 7, values));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),         cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_distinct_fits), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_scope),         cmocka_unit_test(test_timing_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
