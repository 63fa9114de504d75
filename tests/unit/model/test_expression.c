/* test_expression.c: the arithmetic of rubrics. */
#include "model/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool lookup(void *context, const char *name, double *out_value)
{
    (void)context;
    if (strcmp(name, "block") == 0) {
        *out_value = 16;
        return true;
    }
    if (strcmp(name, "grid.x_2") == 0) {
        *out_value = 5;
        return true;
    }
    return false;
}

static const char *name_aloud(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "d_in.loads") == 0 ? "loads from d_in" : NULL;
}

/* What has words is read aloud; the rest stays as it is written, and keeps its meaning. */
static void test_words(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"1.05*(n+1)", "1.05 * (n + 1)"},
        {"a - (b - c) - d", "a - (b - c) - d"},
        {"a / (b * c) * -d", "a / (b * c) * (-d)"},
        {"8 * d_in.loads", "8 times loads from d_in"},
        {"(d_in.loads + n / 2) / n", "(loads from d_in plus n / 2), divided by n"},
        {"ceil(d_in.loads - min(n, 1))", "ceil(loads from d_in minus min(n, 1))"},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct expression *expression = NULL;
        size_t offset = 0;
        assert_int_equal(expression_parse(arena, rows[i].text, &expression, &offset, NULL),
                         ERROR_NONE);
        assert_string_equal(expression_words(arena, expression, name_aloud, NULL), rows[i].words);
    }
    arena_free(arena);
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {" 1.5e2 ", 150},
        {"2e-1", 0.2},
        {"1 / 2", 0.5},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 3 - 2", 5},
        {"16 / 4 / 2", 2},
        {"2 * -3", -6},
        {"- - 3", 3},
        {"-(1 + 2)", -3},
        {"-2 * -2", 4},
        {"8 * block * block", 2048},
        {"grid.x_2 + block", 21},
        {"floor(7 / 2)", 3},
        {"ceil(7 / 2)", 4},
        {"floor(-0.5)", -1},
        {"min(block, 3)", 3},
        {"max(block, 3)", 16},
        {"max(min(1, 2), 0 - 5)", 1},
        {"sqrt(block * 4)", 8},
        {"((((block))))", 16},
        {"log2(block)", 4},
        {"exp2(ceil(log2(block + 1)))", 32},
        {"block > 15", 1},
        {"block > 16", 0},
        {"block >= 16 and block<=16", 1},
        {"1 < 2 and 2 < 1", 0},
        {"1 + 2 < 3 + 1", 1},
        {"(block < 20) * 5", 5},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct expression *expression = NULL;
        size_t offset = 0;
        double value = 0;
        const char *unknown = "";
        assert_int_equal(expression_parse(arena, rows[i].text, &expression, &offset, NULL),
                         ERROR_NONE);
        assert_true(expression_evaluate(expression, lookup, NULL, &value, &unknown));
        if (value != rows[i].value) {
            fail_msg("%s is %g, expected %g", rows[i].text, value, rows[i].value);
        }
        assert_string_equal(expression_text(expression), rows[i].text);
    }
    arena_free(arena);
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *message;
    } rows[] = {
        {"", 0, "expected a number, a name or '(' and found the end"},
        {"1 +", 3, "expected a number, a name or '(' and found the end of '1 +'"},
        {"* 2", 0, "expected a number, a name or '(' and found '* 2'"},
        {"1 2", 2, "expected an operator or the end and found '2'"},
        {"(1", 2, "expected ')' and found the end"},
        {"1)", 1, "expected an operator or the end and found ')'"},
        {"min(1 2)", 6, "expected ',' or ')' and found '2)'"},
        {"min(1)", 0, "min takes 2 arguments, got 1"},
        {"1 + sqrt(1, 2)", 4, "sqrt takes 1 argument, got 2"},
        {"pow(1, 2)", 0, "unknown function 'pow'"},
        {"floor()", 6, "expected a number, a name or '('"},
        {"0x10", 1, "expected an operator or the end and found 'x10'"},
        {"1e999", 0, "too large"},
        {"1 < 2 < 3", 6, "expected an operator or the end and found '< 3'"},
        {"1 andy", 2, "expected an operator or the end and found 'andy'"},
        {"1 <> 2", 3, "expected a number, a name or '(' and found '> 2'"},
        {"1 and", 5, "expected a number, a name or '('"},
        {"a ^ 2", 2, "expected an operator or the end and found '^ 2'"},
        {"1 + \xC3\xA4", 4, "expected a number, a name or '('"},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct expression *expression = NULL;
        struct diagnostic diagnostic = {0};
        size_t offset = 99;
        assert_int_not_equal(
            expression_parse(arena, rows[i].text, &expression, &offset, &diagnostic), ERROR_NONE);
        assert_null(expression);
        if (offset != rows[i].offset || strstr(diagnostic.message, rows[i].message) == NULL) {
            fail_msg("%s\n  expected %zu: %s\n  got      %zu: %s", rows[i].text, rows[i].offset,
                     rows[i].message, offset, diagnostic.message);
        }
    }
    arena_free(arena);
}

static bool parses(struct arena *arena, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    return expression_parse(arena, text, &expression, &offset, NULL) == ERROR_NONE;
}

/* Repeats `unit` `count` times between two texts. */
static const char *repeated(struct arena *arena, const char *unit, size_t count, const char *tail)
{
    const char *text = "";

    for (size_t i = 0; i < count; i++) {
        text = arena_printf(arena, "%s%s", text, unit);
    }
    return arena_printf(arena, "%s%s", text, tail);
}

static void test_nesting_is_bounded(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_true(parses(arena, repeated(arena, "(", 31, repeated(arena, ")", 0, "1"))) == false);
    assert_true(parses(
        arena, repeated(arena, "(", 31, repeated(arena, "1", 1, repeated(arena, ")", 31, "")))));
    assert_false(parses(
        arena, repeated(arena, "(", 32, repeated(arena, "1", 1, repeated(arena, ")", 32, "")))));
    assert_true(parses(arena, repeated(arena, "-", 900, "1")));
    assert_true(parses(arena, repeated(arena, "1+", 400, "1")));
    assert_false(parses(arena, repeated(arena, "1+", 600, "1")));
    /* each level leaves three values on the evaluator's stack */
    assert_false(parses(arena, repeated(arena, "1+2*min(3,", 22,
                                        repeated(arena, "4", 1, repeated(arena, ")", 22, "")))));
    arena_free(arena);
}

static void test_no_value(void **state)
{
    static const struct {
        const char *text;
        const char *unknown;
    } rows[] = {
        {"1 + width * 2", "width"}, {"1 / 0", NULL},       {"0 / 0", NULL},
        {"1 / (1 / 0)", NULL},      {"sqrt(0 - 1)", NULL}, {"1e200 * 1e200", NULL},
        {"min(1, 0 / 0)", NULL},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct expression *expression = NULL;
        size_t offset = 0;
        double value = 42;
        const char *unknown = "untouched";
        assert_int_equal(expression_parse(arena, rows[i].text, &expression, &offset, NULL), 0);
        assert_false(expression_evaluate(expression, lookup, NULL, &value, &unknown));
        assert_false(expression_evaluate(expression, lookup, NULL, &value, NULL));
        assert_true(value == 42);
        if (rows[i].unknown == NULL) {
            assert_null(unknown);
        } else {
            assert_string_equal(unknown, rows[i].unknown);
        }
    }
    arena_free(arena);
}

static void test_conditions(void **state)
{
    static const struct {
        const char *text;
        bool is_condition;
    } rows[] = {
        {"block", false},      {"block > 3", true},        {"block > 3 and 2 < 1", true},
        {"(block > 3)", true}, {"(block > 3) * 2", false}, {"min(1 < 2, 1)", false},
        {"1 <= 2", true},      {"log2(1 < 2)", false},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct expression *expression = NULL;
        size_t offset = 0;
        assert_int_equal(expression_parse(arena, rows[i].text, &expression, &offset, NULL), 0);
        assert_int_equal(expression_is_condition(expression), rows[i].is_condition);
    }
    arena_free(arena);
}

static void append_name(void *context, const char *name)
{
    char *names = context;
    size_t length = strlen(names);

    assert_true(length + strlen(name) + 2 < 100);
    memcpy(names + length, name, strlen(name) + 1);
    names[length + strlen(name)] = ' ';
    names[length + strlen(name) + 1] = '\0';
}

static void test_names(void **state)
{
    struct arena *arena = arena_new();
    const struct expression *expression = NULL;
    size_t offset = 0;
    char names[100] = "";

    (void)state;
    assert_int_equal(
        expression_parse(arena, "max(a, b_1) * floor(c.x) - a", &expression, &offset, NULL), 0);
    expression_names(expression, append_name, names);
    assert_string_equal(names, "a b_1 c.x a ");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_no_value),   cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_names),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
