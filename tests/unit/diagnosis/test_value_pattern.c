/* test_value_pattern.c: what wrong values have to do with the right ones, in words. */
#include "diagnosis/patterns/value_pattern.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 4, OUTPUTS = 4, ELEMENTS_MAX = 96, PARAMETERS = 2 };

static const char *const names[PARAMETERS] = {"height", "inner"};

/* Two cases with two outputs each. */
static const struct {
    size_t rows, columns, number;
    int64_t inner;
} sizes[OUTPUTS] = {{8, 12, 0, 20}, {8, 12, 0, 20}, {4, 16, 1, 8}, {4, 16, 1, 8}};

/* What an element becomes. */
typedef double wrong_value(size_t output, const double *expected, size_t row, size_t column);

static double right_at(size_t output, const double *expected, size_t row, size_t column)
{
    return expected[row * sizes[output].columns + column];
}

static double zero(size_t output, const double *expected, size_t row, size_t column)
{
    (void)output;
    (void)expected;
    (void)row;
    (void)column;
    return 0.0;
}

static double constant(size_t output, const double *expected, size_t row, size_t column)
{
    return zero(output, expected, row, column) - 2.5;
}

static double many_digits(size_t output, const double *expected, size_t row, size_t column)
{
    return zero(output, expected, row, column) + 2147483647.0;
}

static double undefined(size_t output, const double *expected, size_t row, size_t column)
{
    return zero(output, expected, row, column) + 0x7ff87ff8;
}

static double doubled(size_t output, const double *expected, size_t row, size_t column)
{
    return 2.0 * right_at(output, expected, row, column);
}

static double negated(size_t output, const double *expected, size_t row, size_t column)
{
    return -right_at(output, expected, row, column);
}

static double for_each_tile(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, row, column) * (double)(sizes[output].inner / BLOCK);
}

static double one_more(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, row, column) + 1.0;
}

static double little_more(size_t output, const double *expected, size_t row, size_t column)
{
    return (double)(float)(right_at(output, expected, row, column) + 1e-4);
}

static double rounded_away(size_t output, const double *expected, size_t row, size_t column)
{
    return (double)(float)(right_at(output, expected, row, column) * (1 + 1e-6));
}

static double next_row(size_t output, const double *expected, size_t row, size_t column)
{
    return row + 1 < sizes[output].rows ? right_at(output, expected, row + 1, column) : NAN;
}

static double two_columns_before(size_t output, const double *expected, size_t row, size_t column)
{
    return column >= 2 ? right_at(output, expected, row, column - 2) : -7.0;
}

static double turned_in_tiles(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, row / BLOCK * BLOCK + column % BLOCK,
                    column / BLOCK * BLOCK + row % BLOCK);
}

static double rows_reversed(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, sizes[output].rows - 1 - row, column);
}

static double same_for_all_inputs(size_t output, const double *expected, size_t row, size_t column)
{
    (void)expected;
    return (double)(sizes[output].number * 100 + row * 3 + column);
}

static double zero_in_last_column(size_t output, const double *expected, size_t row, size_t column)
{
    return column + 1 == sizes[output].columns ? 0.0 : right_at(output, expected, row, column);
}

static double last_row_unwritten(size_t output, const double *expected, size_t row, size_t column)
{
    return row + 1 == sizes[output].rows ? NAN : right_at(output, expected, row, column);
}

/* Too few elements have a source inside. */
static double ten_columns_on(size_t output, const double *expected, size_t row, size_t column)
{
    return column + 10 < sizes[output].columns ? right_at(output, expected, row, column + 10) : 5.0;
}

static double halved(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, row, column) / 2.0;
}

static double anything(size_t output, const double *expected, size_t row, size_t column)
{
    return right_at(output, expected, row, column) + (double)(row * column % 5);
}

static const struct {
    wrong_value *value;
    const char *clause; /* NULL: nothing is to be said */
    bool is_of_wrong;
} rows[] = {
    {zero, "every element is 0", false},
    {constant, "every element is -2.5", false},
    {many_digits, "every element is 2147483647", false},
    {undefined, "every element is what memory holds that nothing has written", false},
    {doubled, "every element is 2 times the expected value", false},
    {negated, "every element has the wrong sign", false},
    {for_each_tile, "every element is too large by a factor: the number of tiles along inner",
     false},
    {one_more, "every element is 1 too large", false},
    {little_more, "every wrong element is too large, by about 0.0001: a constant, not rounding",
     false},
    {rounded_away, NULL, false},
    {next_row, "all values are 1 row too far up", false},
    {two_columns_before, "all values are 2 columns too far right", false},
    {rows_reversed, "the rows are in reverse order", false},
    {same_for_all_inputs, "the result is the same for all inputs", false},
    {zero_in_last_column, "every wrong element is 0", true},
    {last_row_unwritten, NULL, false},
    {ten_columns_on, NULL, false},
    {halved, NULL, false},
    {anything, NULL, false},
    {turned_in_tiles, "rows and columns are swapped within each tile", false},
};

struct drawn {
    struct arena *arena;
    double expected[OUTPUTS][ELEMENTS_MAX], got[OUTPUTS][ELEMENTS_MAX];
    int64_t parameters[OUTPUTS][PARAMETERS];
    struct wrong_output outputs[OUTPUTS];
    struct wrong_outputs all;
};

static void draw(struct drawn *drawn, wrong_value *value)
{
    struct rng rng;

    memset(drawn, 0, sizeof *drawn);
    drawn->arena = arena_new();
    rng_init(&rng, 1, 2, 3, 4);
    for (size_t i = 0; i < OUTPUTS; i++) {
        size_t count = sizes[i].rows * sizes[i].columns;
        for (size_t j = 0; j < count; j++) {
            drawn->expected[i][j] = (double)rng_range(&rng, -4095, 4095);
        }
        for (size_t j = 0; j < count; j++) {
            drawn->got[i][j] =
                value(i, drawn->expected[i], j / sizes[i].columns, j % sizes[i].columns);
        }
        drawn->parameters[i][0] = (int64_t)sizes[i].rows;
        drawn->parameters[i][1] = sizes[i].inner;
        drawn->outputs[i] = (struct wrong_output){
            .expected = drawn->expected[i],
            .got = drawn->got[i],
            .rows = sizes[i].rows,
            .columns = sizes[i].columns,
            .number = sizes[i].number,
            .parameters = drawn->parameters[i],
            .block = BLOCK,
        };
    }
    drawn->all = (struct wrong_outputs){.outputs = drawn->outputs,
                                        .count = OUTPUTS,
                                        .parameter_names = names,
                                        .parameter_count = PARAMETERS,
                                        .is_product = true};
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drawn drawn;
        struct value_pattern pattern = {0};
        draw(&drawn, rows[i].value);
        bool found = value_pattern_find(drawn.arena, &drawn.all, &pattern);
        if (found && rows[i].clause == NULL) {
            fail_msg("row %zu: %s", i, pattern.clause);
        }
        assert_int_equal(found, rows[i].clause != NULL);
        if (found) {
            assert_string_equal(pattern.clause, rows[i].clause);
            assert_int_equal(pattern.is_of_wrong, rows[i].is_of_wrong);
            assert_true(pattern.hint[0] != '\0');
        }
        arena_free(drawn.arena);
    }
}

/* One value that does not fit refutes a pattern. */
static void test_one_value_refutes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drawn drawn;
        struct value_pattern pattern;
        draw(&drawn, rows[i].value);
        drawn.got[3][21] += 1000.0;
        if (rows[i].clause != NULL && value_pattern_find(drawn.arena, &drawn.all, &pattern)) {
            fail_msg("%s", pattern.clause);
        }
        arena_free(drawn.arena);
    }
}

/* Square outputs ********************************************************************************/

enum { EDGE = 8 };

static size_t turned_index(size_t row, size_t column)
{
    return column * EDGE + row;
}

static size_t turned_tiles_index(size_t row, size_t column)
{
    return (column / BLOCK * BLOCK + row % BLOCK) * EDGE + row / BLOCK * BLOCK + column % BLOCK;
}

static void test_exchanged_rows_and_columns(void **state)
{
    static const struct {
        size_t (*index)(size_t row, size_t column);
        const char *clause;
    } exchanges[] = {
        {turned_index, "rows and columns are swapped"},
        {turned_tiles_index, "the rows and columns of tiles are swapped"},
    };
    struct drawn drawn;

    (void)state;
    draw(&drawn, right_at);
    drawn.outputs[0].rows = drawn.outputs[0].columns = EDGE;
    drawn.all.count = 1;
    for (size_t i = 0; i < sizeof exchanges / sizeof exchanges[0]; i++) {
        struct value_pattern pattern = {0};
        for (size_t j = 0; j < EDGE * EDGE; j++) {
            drawn.got[0][j] = drawn.expected[0][exchanges[i].index(j / EDGE, j % EDGE)];
        }
        assert_true(value_pattern_find(drawn.arena, &drawn.all, &pattern));
        assert_string_equal(pattern.clause, exchanges[i].clause);
        drawn.got[0][11] += 1.0;
        assert_false(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    }
    arena_free(drawn.arena);
}

/* Vectors ***************************************************************************************/

/* Vectors of different lengths, one of them of a single element. */
static void draw_vectors(struct drawn *drawn, int64_t shift)
{
    static const size_t lengths[] = {96, 1, 40, 5};

    draw(drawn, right_at);
    drawn->all.is_vector = true;
    drawn->all.is_product = false;
    for (size_t i = 0; i < OUTPUTS; i++) {
        drawn->outputs[i].rows = 1;
        drawn->outputs[i].columns = lengths[i];
        for (size_t j = 0; j < lengths[i]; j++) {
            const int64_t from = (int64_t)j + shift;
            const bool is_inside = from >= 0 && from < (int64_t)lengths[i];
            drawn->got[i][j] = is_inside ? drawn->expected[i][from] : NAN;
        }
    }
}

static void test_shifted_vectors(void **state)
{
    struct drawn drawn;
    struct value_pattern pattern = {0};

    (void)state;
    draw_vectors(&drawn, -1);
    assert_true(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.clause, "all values are 1 place too late");
    arena_free(drawn.arena);
    draw_vectors(&drawn, 2);
    assert_true(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.clause, "all values are 2 places too early");
    drawn.got[2][7] += 1.0;
    assert_false(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    arena_free(drawn.arena);
}

/* Hints speak of products and sums only where there are some. */
static void test_hints_of_other_coursework(void **state)
{
    static wrong_value *const values[] = {zero, doubled, negated, one_more};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct drawn drawn;
        struct value_pattern pattern = {0};
        draw(&drawn, values[i]);
        drawn.all.is_product = false;
        assert_true(value_pattern_find(drawn.arena, &drawn.all, &pattern));
        assert_true(pattern.hint[0] != '\0');
        assert_null(strstr(pattern.hint, "product"));
        assert_null(strstr(pattern.hint, "sum"));
        assert_null(strstr(pattern.hint, "tile"));
        arena_free(drawn.arena);
    }
}

static void test_no_outputs(void **state)
{
    struct drawn drawn;
    struct value_pattern pattern;

    (void)state;
    draw(&drawn, zero);
    drawn.all.count = 0;
    assert_false(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    drawn.all.count = OUTPUTS;
    drawn.outputs[1].rows = 0;
    assert_false(value_pattern_find(drawn.arena, &drawn.all, &pattern));
    arena_free(drawn.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_one_value_refutes),
        cmocka_unit_test(test_exchanged_rows_and_columns),
        cmocka_unit_test(test_shifted_vectors),
        cmocka_unit_test(test_hints_of_other_coursework),
        cmocka_unit_test(test_no_outputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
