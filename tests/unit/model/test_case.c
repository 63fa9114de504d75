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

/* Any whole number from `least` to `most`. */
#define RANGE(least, most)                                                                         \
    {                                                                                              \
        .minimum = (least), .maximum = (most)                                                      \
    }

static const struct rubric_case two_cases[] = {
    {.id = "fixed", .repeat = 1, .values = {RANGE(3, 3), RANGE(100, 100)}},
    {.id = "drawn", .repeat = 50, .values = {RANGE(1, 3), RANGE(2, 4)}, .distinct = true},
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
        {{RANGE(1, 1)}, 1, true},
        {{RANGE(1, 1), RANGE(1, 1)}, 2, false},
        {{RANGE(1, 2), RANGE(1, 2)}, 2, true},
        {{RANGE(1, 2), RANGE(1, 2), RANGE(1, 2)}, 3, false},
        {{RANGE(1, 3), RANGE(1, 1), RANGE(1, 2)}, 3, true}, /* only 3, 1, 2 */
        {{RANGE(1, 9), RANGE(2, 2), RANGE(2, 3), RANGE(3, 3)}, 4, false},
        {{RANGE(2, 2), RANGE(1, 3), RANGE(3, 3), RANGE(1, 4)}, 4, true},
        {{RANGE(5, 9), RANGE(1, 9), RANGE(1, 2), RANGE(1, 1)}, 4, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rubric_case drawn_from = {.id = "c", .repeat = 1, .distinct = true};
        memcpy(drawn_from.values, rows[i].ranges, sizeof rows[i].ranges);
        assert_int_equal(case_ranges_fit(&drawn_from, rows[i].count), rows[i].fits);
    }
}

/* Each doubling from the least on is drawn about as often, also the last one, which is cut; nothing
 * outside of the range is. */
static void test_doublings(void **state)
{
    enum { DRAWS = 7000, DOUBLINGS = 7 };
    static const struct rubric_case cases[] = {
        {.id = "c",
         .repeat = DRAWS,
         .values = {{.minimum = 10, .maximum = 700, .is_log = true},
                    {.minimum = 5, .maximum = 5, .is_log = true}}},
    };
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, cases, 1);
    const struct drawn_case *drawn = NULL;
    size_t count = 0;
    int seen[DOUBLINGS] = {0};
    int64_t least = INT64_MAX, most = 0;

    (void)state;
    cases_draw(arena, &rubric, 7, &drawn, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t value = drawn[i].units[0];
        int doubling = 0;
        while (value >= 10 << (doubling + 1)) {
            doubling++;
        }
        assert_in_range(value, 10, 700);
        assert_int_equal(drawn[i].units[1], 5);
        seen[doubling]++;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    for (int i = 0; i < DOUBLINGS; i++) {
        assert_in_range(seen[i], DRAWS / DOUBLINGS * 8 / 10, DRAWS / DOUBLINGS * 12 / 10);
    }
    assert_int_equal(least, 10);
    assert_int_equal(most, 700);
    arena_free(arena);
}

/* A case's own unit goes before that of the parameter; other cases keep that. */
static void test_own_units(void **state)
{
    struct arena *arena = arena_new();
    const struct expression *area = parse(arena, "1024 / block");
    const struct rubric_case cases[] = {
        {.id = "usual", .repeat = 1, .values = {RANGE(3, 3), RANGE(5, 5)}},
        {.id = "long",
         .repeat = 1,
         .values = {{.minimum = 3, .maximum = 3, .unit = area}, RANGE(5, 5)}},
    };
    struct rubric rubric = make_rubric(arena, cases, 2);
    const struct drawn_case *drawn = NULL;
    size_t count = 0;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];

    (void)state;
    cases_draw(arena, &rubric, 7, &drawn, &count);
    assert_true(case_parameters(&rubric, &drawn[0], 8, parameters));
    assert_int_equal(parameters[0], 3 * 8);
    assert_true(case_parameters(&rubric, &drawn[1], 8, parameters));
    assert_int_equal(parameters[0], 3 * 128);
    assert_int_equal(parameters[1], 5);
    assert_false(case_parameters(&rubric, &drawn[1], 24, parameters));
    arena_free(arena);
}

static const int64_t block_widths[] = {32, 8, 16};
static const int64_t one_block_width[] = {8};

/* One of `list` [count]; minimum and maximum as a rubric is loaded. */
#define ONE_OF(list, count)                                                                        \
    {                                                                                              \
        .minimum = 8, .maximum = 32, .choices = (list), .choice_count = (count)                    \
    }

/* Each choice is drawn, about as often as the others, and nothing else; the seed decides. */
static void test_choices(void **state)
{
    static const struct rubric_case cases[] = {
        {.id = "c", .repeat = 300, .values = {ONE_OF(block_widths, 3), RANGE(8, 16)}},
    };
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, cases, 1);
    const struct drawn_case *drawn = NULL, *again = NULL;
    size_t count = 0;
    int seen[3] = {0};

    (void)state;
    cases_draw(arena, &rubric, 7, &drawn, &count);
    cases_draw(arena, &rubric, 7, &again, &count);
    assert_int_equal(count, 300);
    for (size_t i = 0; i < count; i++) {
        int found = 0;
        for (size_t k = 0; k < 3; k++) {
            seen[k] += drawn[i].units[0] == block_widths[k] ? 1 : 0;
            found += drawn[i].units[0] == block_widths[k] ? 1 : 0;
        }
        assert_int_equal(found, 1);
        assert_int_equal(drawn[i].units[0], again[i].units[0]);
        assert_in_range(drawn[i].units[1], 8, 16);
    }
    for (size_t k = 0; k < 3; k++) {
        assert_in_range(seen[k], 60, 140);
    }
    arena_free(arena);
}

/* What is chosen from a list may be equal to what a range gives, and two choices to each other. */
static void test_choices_need_not_differ(void **state)
{
    static const struct rubric_case cases[] = {
        {.id = "equal",
         .repeat = 2,
         .values = {ONE_OF(one_block_width, 1), RANGE(8, 8)},
         .distinct = true},
        {.id = "both",
         .repeat = 2,
         .values = {ONE_OF(one_block_width, 1), ONE_OF(one_block_width, 1)},
         .distinct = true},
    };
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, cases, 2);
    const struct drawn_case *drawn = NULL;
    size_t count = 0;

    (void)state;
    assert_true(case_ranges_fit(&cases[0], 2));
    assert_true(case_ranges_fit(&cases[1], 2));
    cases_draw(arena, &rubric, 7, &drawn, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(drawn[i].units[0], 8);
        assert_int_equal(drawn[i].units[1], 8);
    }
    arena_free(arena);
}

/* Ranges must differ from each other all the same, whatever choices stand between them. */
static void test_ranges_between_choices(void **state)
{
    static const struct {
        struct range ranges[4];
        size_t count;
        bool fits;
    } rows[] = {
        {{RANGE(8, 8), ONE_OF(one_block_width, 1), RANGE(8, 8)}, 3, false},
        {{RANGE(8, 8), ONE_OF(one_block_width, 1), RANGE(8, 9)}, 3, true},
        {{RANGE(40, 40), ONE_OF(one_block_width, 1), RANGE(40, 40)}, 3, false},
        {{ONE_OF(block_widths, 3), RANGE(1, 2), RANGE(1, 2), RANGE(1, 2)}, 4, false},
        {{RANGE(1, 2), ONE_OF(block_widths, 3), ONE_OF(block_widths, 3), RANGE(1, 2)}, 4, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rubric_case drawn_from = {.id = "c", .repeat = 1, .distinct = true};
        memcpy(drawn_from.values, rows[i].ranges, sizeof rows[i].ranges);
        assert_int_equal(case_ranges_fit(&drawn_from, rows[i].count), rows[i].fits);
    }
}

/* "w", which has no unit, says the block width. */
static void test_block(void **state)
{
    static const struct {
        const char *block;
        int64_t expected;
    } rows[] = {
        {"w", 6},     {"4 * w", 24},      {"16", 16},         {"w / 2", 3},
        {"w / 4", 0}, {"w - 6", 0},       {"-w", 0},          {"w * 1000000000", 0},
        {"block", 0}, {"1 / (w - 6)", 0}, {"threads + w", 0},
    };
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const struct drawn_case drawn = {.units = {5, 6}};
    struct rubric_launch launch = {.block = NULL};

    (void)state;
    assert_int_equal(case_block(&rubric, &launch, &drawn), 0); /* it must be learnt */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        launch.block = parse(arena, rows[i].block);
        if (case_block(&rubric, &launch, &drawn) != rows[i].expected) {
            fail_msg("%s", rows[i].block);
        }
    }
    arena_free(arena);
}

/* Overrides are over the parameters in elements and the block; an int holds them. */
static void test_override_values(void **state)
{
    static const struct {
        const char *value;
        bool is_good;
        int64_t expected;
    } rows[] = {
        {"h", true, 48},
        {"h * w", true, 336},
        {"block", true, 16},
        {"h / block - 4", true, -1},
        {"2147483647", true, INT32_MAX},
        {"-2147483647 - 1", true, INT32_MIN},
        {"2147483648", false, 0},
        {"-2147483649", false, 0},
        {"w / 2", false, 0},
        {"1 / (w - 7)", false, 0},
        {"threads", false, 0},
    };
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const int64_t elements[RUBRIC_PARAMETERS_MAX] = {48, 7};
    struct rubric_override *overrides = arena_array(arena, 2, sizeof *overrides);
    const struct rubric_program program = {.overrides = overrides, .override_count = 2};
    int64_t values[RUBRIC_OVERRIDES_MAX];

    (void)state;
    overrides[0] = (struct rubric_override){"W", parse(arena, "w")};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        overrides[1] = (struct rubric_override){"X", parse(arena, rows[i].value)};
        values[0] = -1;
        if (case_override_values(&rubric, &program, elements, 16, values) != rows[i].is_good) {
            fail_msg("%s", rows[i].value);
        }
        if (!rows[i].is_good) {
            assert_int_equal(values[0], -1); /* untouched */
        } else {
            assert_int_equal(values[0], 7);
            assert_int_equal(values[1], rows[i].expected);
        }
    }
    overrides[1] = (struct rubric_override){"X", parse(arena, "block")};
    assert_false(case_override_values(&rubric, &program, elements, 0, values));
    overrides[1] = (struct rubric_override){"X", parse(arena, "h")};
    assert_true(case_override_values(&rubric, &program, elements, 0, values));
    arena_free(arena);
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
    assert_false(
        case_parameters(&rubric, &drawn, 0, elements)); /* the block width is not known yet */
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

/* Extents are bounded by the device memory of the rubric alone. */
static void test_elements(void **state)
{
    struct arena *arena = arena_new();
    struct rubric rubric = make_rubric(arena, two_cases, 2);
    const int64_t parameters[] = {3000000, 2};
    const struct case_scope scope = {.rubric = &rubric, .parameters = parameters, .block = 32};
    struct rubric_operand operand = {
        .rank = 2, .type = ELEMENT_F64, .shape = {parse(arena, "h + 1"), parse(arena, "w")}};
    uint64_t extents[3] = {7, 7, 7};

    (void)state;
    rubric.limits.device_memory_bytes = UINT64_C(3000001) * 2 * 8;
    assert_int_equal(case_elements(&scope, &operand, extents), 6000002);
    assert_int_equal(extents[0], 3000001);
    assert_int_equal(extents[1], 2);
    assert_int_equal(extents[2], 7);
    rubric.limits.device_memory_bytes--;
    assert_int_equal(case_elements(&scope, &operand, extents), 0);
    rubric.limits.device_memory_bytes = UINT64_MAX;
    operand.shape[0] = parse(arena, "h / 7");
    assert_int_equal(case_elements(&scope, &operand, extents), 0);
    operand.shape[0] = parse(arena, "w - 2");
    assert_int_equal(case_elements(&scope, &operand, extents), 0);
    operand.shape[0] = parse(arena, "h * h * h * h");
    assert_int_equal(case_elements(&scope, &operand, extents), 0);
    assert_int_equal(extents[0], 3000001);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_distinct_fits),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_scope),
        cmocka_unit_test(test_timing_parameters),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_doublings),
        cmocka_unit_test(test_own_units),
        cmocka_unit_test(test_choices_need_not_differ),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_ranges_between_choices),
        cmocka_unit_test(test_override_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
