/* test_wrong_pattern.c: maps of wrong elements in words, on maps made by rules. */
#include "diagnosis/patterns/wrong_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 4, CASES = 3, ELEMENTS_MAX = 16 * 24, PARAMETERS = 2 };

static const char *const parameter_names[PARAMETERS] = {"height", "depth"};

/* Rows, columns, and a size that is neither; all different. */
static const struct {
    size_t rows, columns;
    int64_t depth;
} sizes[CASES] = {{8, 20, 12}, {16, 12, 8}, {12, 24, 16}};

/* True if an element is wrong. */
typedef bool wrong_rule(size_t shape, size_t row, size_t column);

struct drawn {
    struct arena *arena;
    uint8_t states[CASES][ELEMENTS_MAX];
    struct element_map maps[CASES];
    int64_t parameters[CASES][PARAMETERS];
    struct pattern_case cases[CASES];
    struct pattern_cases all;
};

static void draw(struct drawn *drawn, wrong_rule *rule)
{
    memset(drawn, 0, sizeof *drawn);
    drawn->arena = arena_new();
    for (size_t i = 0; i < CASES; i++) {
        size_t columns = sizes[i].columns;
        for (size_t j = 0; j < sizes[i].rows * columns; j++) {
            drawn->states[i][j] = rule(i, j / columns, j % columns) ? ELEMENT_WRONG : ELEMENT_RIGHT;
        }
        drawn->maps[i] = (struct element_map){.operand = "C",
                                              .shape = "",
                                              .probe = "",
                                              .rows = sizes[i].rows,
                                              .columns = columns,
                                              .block = BLOCK,
                                              .states = drawn->states[i]};
        drawn->parameters[i][0] = (int64_t)sizes[i].rows;
        drawn->parameters[i][1] = sizes[i].depth;
        drawn->cases[i] = (struct pattern_case){
            .map = &drawn->maps[i],
            .parameters = drawn->parameters[i],
            .grid = {(uint32_t)columns / BLOCK, (uint32_t)sizes[i].rows / BLOCK, 1},
            .threads = {BLOCK, BLOCK, 1},
        };
    }
    drawn->all = (struct pattern_cases){.cases = drawn->cases,
                                        .count = CASES,
                                        .parameter_names = parameter_names,
                                        .parameter_count = PARAMETERS,
                                        .states = 1u << ELEMENT_WRONG};
}

static bool every_second_column(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    return column % 2 == 1;
}

static bool every_third_row(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)column;
    return row % 3 == 0;
}

static bool all_but_every_third_column(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    return column % 3 != 2;
}

static bool last_column_of_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    return column % BLOCK == BLOCK - 1;
}

static bool lower_rows_of_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)column;
    return row % BLOCK >= 2;
}

static bool one_element_of_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return row % BLOCK == 0 && column % BLOCK == 2;
}

static bool all_but_one_element_of_tile(size_t shape, size_t row, size_t column)
{
    return !one_element_of_tile(shape, row, column);
}

static bool first_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return row < BLOCK && column < BLOCK;
}

static bool all_but_first_tile(size_t shape, size_t row, size_t column)
{
    return !first_tile(shape, row, column);
}

static bool last_row_of_tiles(size_t shape, size_t row, size_t column)
{
    (void)column;
    return row + BLOCK >= sizes[shape].rows;
}

static bool first_column_of_tiles(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    return column < BLOCK;
}

static bool every_second_tile_column(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    return column / BLOCK % 2 == 1;
}

static bool border(size_t shape, size_t row, size_t column)
{
    return row == 0 || column == 0 || row + 1 == sizes[shape].rows ||
           column + 1 == sizes[shape].columns;
}

static bool last_row(size_t shape, size_t row, size_t column)
{
    (void)column;
    return row + 1 == sizes[shape].rows;
}

static bool upper_triangle(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return column > row;
}

static bool lower_triangle_of_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return column % BLOCK <= row % BLOCK;
}

static bool diagonal_of_tile(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return column % BLOCK == row % BLOCK;
}

static bool tiles_above_diagonal(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return column / BLOCK > row / BLOCK;
}

static bool checkerboard(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return (row + column) % 2 == 0;
}

static bool checkerboard_of_tiles(size_t shape, size_t row, size_t column)
{
    (void)shape;
    return (row / BLOCK + column / BLOCK) % 2 == 1;
}

static bool from_depth(size_t shape, size_t row, size_t column)
{
    (void)column;
    return row >= (size_t)sizes[shape].depth / 2 && row < (size_t)sizes[shape].depth;
}

static bool columns_below_height(size_t shape, size_t row, size_t column)
{
    (void)row;
    return column < sizes[shape].rows && column < sizes[1].columns - 1;
}

static bool threads_of_a_range(size_t shape, size_t row, size_t column)
{
    size_t thread = row % BLOCK * BLOCK + column % BLOCK;

    (void)shape;
    return thread >= 6 && thread <= 12;
}

static bool first_elements(size_t shape, size_t row, size_t column)
{
    return row * sizes[shape].columns + column < 30;
}

static bool right_half(size_t shape, size_t row, size_t column)
{
    (void)row;
    return column >= sizes[shape].columns / 2;
}

static bool column_in_a_tile_row(size_t shape, size_t row, size_t column)
{
    return column % BLOCK == 1 && last_row_of_tiles(shape, row, column);
}

static bool columns_in_a_tile_row(size_t shape, size_t row, size_t column)
{
    return column % 3 != 2 && last_row_of_tiles(shape, row, column);
}

static bool everything(size_t shape, size_t row, size_t column)
{
    (void)shape;
    (void)row;
    (void)column;
    return true;
}

/* No rule that a student could be told. */
static bool scattered(size_t shape, size_t row, size_t column)
{
    return (row * 7 + column * 5 + shape) % 11 == 3;
}

static const struct {
    wrong_rule *rule;
    bool is_exception;
    const char *where; /* NULL: nothing is to be said */
} rows[] = {
    {everything, false, "every element"},
    {every_second_column, false, "every 2nd column, starting with column 1"},
    {every_third_row, false, "every 3rd row, starting with row 0"},
    {all_but_every_third_column, true, "every 3rd column, starting with column 2"},
    {last_column_of_tile, false, "the last column of each tile"},
    {lower_rows_of_tile, false, "rows 2 to 3 of each tile"},
    {one_element_of_tile, false, "element (0,2) of each tile"},
    {all_but_one_element_of_tile, true, "element (0,2) of each tile"},
    {first_tile, false, "the first tile"},
    {all_but_first_tile, true, "the first tile"},
    {last_row_of_tiles, false, "the last row of tiles"},
    {first_column_of_tiles, false, "the first column of tiles"},
    {every_second_tile_column, false, "every 2nd column of tiles, starting with the 2nd"},
    {border, false, "the border"},
    {last_row, false, "the last row"},
    {upper_triangle, false, "the upper triangle, without the diagonal"},
    {lower_triangle_of_tile, false, "the lower triangle of each tile, with its diagonal"},
    {diagonal_of_tile, false, "the diagonal of each tile"},
    {tiles_above_diagonal, false, "the tiles above the diagonal"},
    {checkerboard, false, "every second element, as on a checkerboard, starting at (0,0)"},
    {checkerboard_of_tiles, false,
     "every second tile, as on a checkerboard, starting with the second"},
    {threads_of_a_range, false, "elements 6 to 12 of each tile, counted row by row"},
    {first_elements, false, "the first 30 elements"},
    {right_half, false, "the right half"},
    {column_in_a_tile_row, false, "column 1 of each tile, within the last row of tiles"},
    {columns_in_a_tile_row, false,
     "all columns but every 3rd column, starting with column 2, within the last row of tiles"},
    {from_depth, false, NULL},
    {columns_below_height, false, NULL},
    {scattered, false, NULL},
};

static void test_patterns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drawn drawn;
        struct wrong_pattern pattern = {0};
        draw(&drawn, rows[i].rule);
        bool found = wrong_pattern_find(drawn.arena, &drawn.all, &pattern);
        if (found && rows[i].where == NULL) {
            fail_msg("row %zu: %s", i, pattern.where);
        }
        assert_int_equal(found, rows[i].where != NULL);
        if (found) {
            assert_string_equal(pattern.where, rows[i].where);
            assert_int_equal(pattern.is_exception, rows[i].is_exception);
            assert_int_equal(pattern.is_all, rows[i].rule == everything);
        }
        arena_free(drawn.arena);
    }
}

/* One element that does not fit, in one case, refutes a pattern. */
static void test_one_element_refutes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t j = 0; j < CASES && rows[i].where != NULL; j++) {
            struct drawn drawn;
            struct wrong_pattern pattern = {0};
            draw(&drawn, rows[i].rule);
            drawn.states[j][61] =
                drawn.states[j][61] == ELEMENT_WRONG ? ELEMENT_RIGHT : ELEMENT_WRONG;
            if (wrong_pattern_find(drawn.arena, &drawn.all, &pattern) &&
                strcmp(pattern.where, rows[i].where) == 0) {
                fail_msg("%s, though not in case %zu", rows[i].where, j);
            }
            arena_free(drawn.arena);
        }
    }
}

static bool below_depth(size_t shape, size_t row, size_t column)
{
    (void)row;
    return column >= (size_t)sizes[shape].depth;
}

/* A size of another matrix is named if several cases have it, and not if one has it by chance. */
static void test_bound_of_another_matrix(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, below_depth);
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "the first depth columns");
    assert_true(pattern.is_exception);
    drawn.all.count = 1;
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_null(strstr(pattern.where, "depth"));
    arena_free(drawn.arena);
}

/* What no block covers is told as that. */
static void test_grid_too_small(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, last_row_of_tiles);
    for (size_t i = 0; i < CASES; i++) {
        drawn.cases[i].grid[1]--;
    }
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "the rows below the grid, which no block covers");
    assert_non_null(strstr(pattern.hint, "too few blocks in y"));
    arena_free(drawn.arena);
}

/* A block with fewer rows of threads than a tile has rows. */
static void test_threads_do_not_cover_the_tile(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, lower_rows_of_tile);
    for (size_t i = 0; i < CASES; i++) {
        drawn.cases[i].threads[1] = 2;
    }
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "rows 2 to 3 of each tile");
    assert_non_null(strstr(pattern.hint, "a block has 2 rows of threads for the 4 rows of a tile"));
    arena_free(drawn.arena);
}

enum { LENGTH = 3 * BLOCK };

static bool find_in_vector(bool (*is_wrong)(size_t index), struct wrong_pattern *out_pattern)
{
    struct drawn drawn;

    draw(&drawn, last_row);
    for (size_t i = 0; i < CASES; i++) {
        drawn.maps[i].rows = 1;
        drawn.maps[i].columns = LENGTH + i * BLOCK;
        for (size_t j = 0; j < drawn.maps[i].columns; j++) {
            drawn.states[i][j] = is_wrong(j) ? ELEMENT_WRONG : ELEMENT_RIGHT;
        }
    }
    drawn.all.is_vector = true;
    bool found = wrong_pattern_find(drawn.arena, &drawn.all, out_pattern);
    arena_free(drawn.arena);
    return found;
}

static bool is_first(size_t index)
{
    return index == 0;
}

static bool is_not_first(size_t index)
{
    return index != 0;
}

static bool is_not_last_of_block(size_t index)
{
    return index % BLOCK != BLOCK - 1;
}

/* The hint of a place is about what is wrong there: it is none of what is right there. */
static void test_exceptions_have_other_hints(void **state)
{
    struct wrong_pattern pattern;

    (void)state;
    assert_true(find_in_vector(is_first, &pattern));
    assert_false(pattern.is_exception);
    assert_string_equal(pattern.where, "the first element");
    assert_string_equal(pattern.hint, "check whether the first element has a neighbour before it");
    assert_true(find_in_vector(is_not_first, &pattern));
    assert_true(pattern.is_exception);
    assert_string_equal(pattern.where, "the first element");
    assert_string_equal(pattern.hint, "");
    assert_true(find_in_vector(is_not_last_of_block, &pattern));
    assert_true(pattern.is_exception);
    assert_string_equal(pattern.hint, "");
}

/* Nothing is said of tiles whose block width is unknown, nor if a map shows nothing of the kind. */
static void test_what_is_unknown(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, last_column_of_tile);
    for (size_t i = 0; i < CASES; i++) {
        drawn.maps[i].block = 0;
    }
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "every 4th column, starting with column 3");
    drawn.all.states = 1u << ELEMENT_UNWRITTEN;
    assert_false(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    drawn.all.count = 0;
    assert_false(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    arena_free(drawn.arena);
}

/* Only the states that are asked for count. */
static void test_states(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, scattered);
    for (size_t i = 0; i < CASES; i++) {
        for (size_t j = 0; j < sizes[i].rows * sizes[i].columns; j++) {
            if (j % sizes[i].columns % BLOCK == 1) {
                drawn.states[i][j] = ELEMENT_UNWRITTEN;
            }
        }
    }
    assert_false(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    drawn.all.states = 1u << ELEMENT_UNWRITTEN;
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "column 1 of each tile");
    arena_free(drawn.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_one_element_refutes),
        cmocka_unit_test(test_bound_of_another_matrix),
        cmocka_unit_test(test_grid_too_small),
        cmocka_unit_test(test_threads_do_not_cover_the_tile),
        cmocka_unit_test(test_exceptions_have_other_hints),
        cmocka_unit_test(test_what_is_unknown),
        cmocka_unit_test(test_states),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
