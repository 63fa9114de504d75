/* test_spmv_oracle.c: reference/spmv/oracle.c for a matrix that is computed by hand, and the
 * matrices that it makes. */
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, COLUMNS = 4, CAPACITY = 6, NEEDS_MAX = 16 };
enum { RANDOM = 1, NONE, IN_ONE_ROW, DIAGONAL };

/* The second row is empty; in the third one a column occurs twice. The last element is none. */
static const int32_t row_start[ROWS + 1] = {0, 2, 2, 5};
static const int32_t column[CAPACITY] = {1, 3, 0, 2, 2, 0};
static const float value[CAPACITY] = {1, 2, 3, 4, 5, 0};
static const float x[COLUMNS] = {10, 20, 30, 40};

static const int64_t parameters[] = {ROWS, COLUMNS, CAPACITY / ROWS, 0, RANDOM};
static const void *const inputs[] = {row_start, column, value, x};
static const struct oracle_problem problem = {
    .parameters = parameters, .inputs = inputs, .output_count = ROWS};

static void rows_are_added_up(void **state)
{
    double expected[ROWS] = {0}, magnitudes[ROWS] = {0};
    (void)state;

    gpugrade_oracle.expect(&problem, expected, magnitudes);
    assert_true(expected[0] == 100 && expected[1] == 0 && expected[2] == 300);
    assert_true(magnitudes[0] == 100 && magnitudes[1] == 0 && magnitudes[2] == 300);
}

static void a_row_needs_its_values_and_each_element_of_x_once(void **state)
{
    struct oracle_need needs[NEEDS_MAX];
    (void)state;

    assert_int_equal(gpugrade_oracle.needs(&problem, 1, needs, NEEDS_MAX), 0);
    assert_int_equal(gpugrade_oracle.needs(&problem, 2, needs, NEEDS_MAX), 5);
    assert_true(needs[0].input == 2 && needs[0].element == 2);
    assert_true(needs[1].input == 3 && needs[1].element == 0);
    assert_true(needs[4].input == 2 && needs[4].element == 4);
}

/* What a mistake gives; false if it is not judged. */
static int compute(const char *name, double *out_values)
{
    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        if (strcmp(gpugrade_oracle.mistakes[i].name, name) == 0) {
            return gpugrade_oracle.mistakes[i].compute(&problem, out_values);
        }
    }
    fail_msg("there is no mistake %s", name);
    return 0;
}

static void mistakes_by_their_definition(void **state)
{
    double values[ROWS];
    (void)state;

    assert_true(compute("without_last", values));
    assert_true(values[0] == 20 && values[1] == 0 && values[2] == 150);
    assert_true(compute("empty_unwritten", values));
    assert_true(values[0] == 100 && isnan(values[1]) && values[2] == 300);
    assert_true(compute("columns_once", values));
    assert_true(values[0] == 100 && values[1] == 0 && values[2] == 180);
    assert_true(compute("one_too_many", values));
    assert_true(values[0] == 130 && values[1] == 30 && values[2] == 300);
    assert_true(compute("x_of_place", values));
    assert_true(values[0] == 50 && values[1] == 0 && values[2] == 260);
}

static void what_changes_nothing_is_not_judged(void **state)
{
    double values[ROWS];
    (void)state;

    assert_false(compute("first_32", values));
    assert_false(compute("x_of_element", values)); /* there are more elements than columns */
    assert_false(compute("transposed", values));
}

static void mistakes_have_texts(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        assert_true(strlen(gpugrade_oracle.mistakes[i].message) > 0);
        assert_true(strlen(gpugrade_oracle.mistakes[i].hint) > 0);
    }
}

/* Made matrices ******************************************************************************/

enum { MADE_ROWS = 20, MADE_COLUMNS = 20, MADE_CAPACITY = 100 };

static uint64_t next_number(void *state)
{
    uint64_t *number = state;

    *number = *number * 6364136223846793005u + 1442695040888963407u;
    return *number >> 16;
}

/* Makes a matrix of a shape, and checks what all of them have; returns its longest row. */
static int32_t longest_row(int64_t shape, int64_t mean, int64_t least, int32_t *out_elements)
{
    uint64_t number = 7;
    struct oracle_random random = {.next = next_number, .state = &number};
    int32_t start[MADE_ROWS + 1], columns[MADE_CAPACITY];
    float values[MADE_CAPACITY] = {0}, made_x[MADE_COLUMNS] = {0};
    void *const made[] = {start, columns, values, made_x};
    const void *const made_inputs[] = {start, columns, values, made_x};
    const int64_t numbers[] = {MADE_ROWS, MADE_COLUMNS, mean, least, shape};
    const struct oracle_problem of = {
        .parameters = numbers, .inputs = made_inputs, .output_count = MADE_ROWS};
    int32_t longest = 0;

    gpugrade_oracle.make_inputs(&of, &random, made);
    assert_int_equal(start[0], 0);
    for (int row = 0; row < MADE_ROWS; row++) {
        const int32_t length = start[row + 1] - start[row];
        assert_true(length >= least);
        longest = length > longest ? length : longest;
    }
    for (int64_t i = 0; i < MADE_ROWS * mean; i++) {
        assert_in_range(columns[i], 0, MADE_COLUMNS - 1);
    }
    *out_elements = start[MADE_ROWS];
    return longest;
}

static void made_matrices_have_the_elements_of_their_shape(void **state)
{
    int32_t elements = 0;
    (void)state;

    assert_true(longest_row(RANDOM, 5, 2, &elements) > 5);
    assert_int_equal(elements, 100);
    assert_int_equal(longest_row(RANDOM, 4, 4, &elements), 4);
    assert_int_equal(elements, 80);
    assert_int_equal(longest_row(NONE, 1, 0, &elements), 0);
    assert_int_equal(elements, 0);
    assert_int_equal(longest_row(IN_ONE_ROW, 5, 0, &elements), 100);
    assert_int_equal(elements, 100);
    assert_int_equal(longest_row(DIAGONAL, 1, 0, &elements), 1);
    assert_int_equal(elements, MADE_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_added_up),
        cmocka_unit_test(a_row_needs_its_values_and_each_element_of_x_once),
        cmocka_unit_test(mistakes_by_their_definition),
        cmocka_unit_test(what_changes_nothing_is_not_judged),
        cmocka_unit_test(mistakes_have_texts),
        cmocka_unit_test(made_matrices_have_the_elements_of_their_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
