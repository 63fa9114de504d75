/* test_vector_pattern.c: wrong elements of vectors in words; blocks have another size in each case,
 * and vectors need not be multiples of them. */
#include "diagnosis/patterns/wrong_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 3, ELEMENTS_MAX = 128, PARAMETERS = 2 };

static const char *const parameter_names[PARAMETERS] = {"n", "half_n"};

static const struct {
    size_t length, block;
} sizes[CASES] = {{100, 8}, {64, 16}, {45, 10}};

/* True if an element is wrong. */
typedef bool wrong_rule(size_t length, size_t block, size_t index);

struct drawn {
    struct arena *arena;
    uint8_t states[CASES][ELEMENTS_MAX];
    struct element_map maps[CASES];
    int64_t parameters[CASES][PARAMETERS];
    struct pattern_case cases[CASES];
    struct pattern_cases all;
};

static void draw(struct drawn *drawn, wrong_rule *rule, bool has_whole_grid)
{
    memset(drawn, 0, sizeof *drawn);
    drawn->arena = arena_new();
    for (size_t i = 0; i < CASES; i++) {
        const size_t length = sizes[i].length;
        const size_t block = sizes[i].block;
        for (size_t j = 0; j < length; j++) {
            drawn->states[i][j] = rule(length, block, j) ? ELEMENT_WRONG : ELEMENT_RIGHT;
        }
        drawn->maps[i] = (struct element_map){.operand = "result",
                                              .shape = "",
                                              .probe = "",
                                              .rows = 1,
                                              .columns = length,
                                              .block = (int64_t)block,
                                              .states = drawn->states[i]};
        drawn->parameters[i][0] = (int64_t)length;
        drawn->parameters[i][1] = (int64_t)length / 2 + 3;
        drawn->cases[i] = (struct pattern_case){
            .map = &drawn->maps[i],
            .parameters = drawn->parameters[i],
            .grid = {(uint32_t)(has_whole_grid ? (length + block - 1) / block : length / block / 2),
                     1, 1},
            .threads = {(uint32_t)block, 1, 1},
        };
    }
    drawn->all = (struct pattern_cases){.cases = drawn->cases,
                                        .count = CASES,
                                        .parameter_names = parameter_names,
                                        .parameter_count = PARAMETERS,
                                        .states = 1u << ELEMENT_WRONG,
                                        .is_vector = true};
}

static bool every(size_t length, size_t block, size_t index)
{
    return length > 0 && block > 0 && index < length;
}

static bool first(size_t length, size_t block, size_t index)
{
    return every(length, block, index) && index == 0;
}

static bool last(size_t length, size_t block, size_t index)
{
    return block > 0 && index + 1 == length;
}

static bool all_but_last(size_t length, size_t block, size_t index)
{
    return !last(length, block, index);
}

static bool first_of_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index % block == 0;
}

static bool border(size_t length, size_t block, size_t index)
{
    return index > 0 && first_of_block(length, block, index);
}

static bool all_but_border(size_t length, size_t block, size_t index)
{
    return !border(length, block, index);
}

static bool before_border(size_t length, size_t block, size_t index)
{
    return index + 1 < length && index % block == block - 1;
}

static bool last_of_full_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index % block == block - 1;
}

static bool last_of_block(size_t length, size_t block, size_t index)
{
    return last_of_full_block(length, block, index) || last(length, block, index);
}

static bool first_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index < block;
}

static bool behind_first_block(size_t length, size_t block, size_t index)
{
    return !first_block(length, block, index);
}

static bool last_block(size_t length, size_t block, size_t index)
{
    return index / block == (length - 1) / block;
}

static bool odd(size_t length, size_t block, size_t index)
{
    return length > 0 && block > 0 && index % 2 == 1;
}

static bool third_of_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index % block == 2;
}

static bool first_three_of_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index % block < 3;
}

static bool last_two_of_full_block(size_t length, size_t block, size_t index)
{
    return length > 0 && index % block >= block - 2;
}

static bool first_half(size_t length, size_t block, size_t index)
{
    return block > 0 && index < length / 2;
}

static bool up_to_parameter(size_t length, size_t block, size_t index)
{
    return block > 0 && index < length / 2 + 3;
}

static bool fixed(size_t length, size_t block, size_t index)
{
    return length > 0 && block > 0 && index >= 5 && index <= 12;
}

static bool scattered(size_t length, size_t block, size_t index)
{
    return length > 0 && block > 0 && index * index % 37 < 5;
}

static const struct {
    wrong_rule *rule;
    const char *where; /* NULL: no pattern */
    bool is_exception;
} rows[] = {
    {every, "every element", false},
    {first, "the first element", false},
    {last, "the last element", false},
    {all_but_last, "the last element", true},
    {first_of_block, "the first element of each block", false},
    {border, "the first element of each block except the first", false},
    {all_but_border, "the first element of each block except the first", true},
    {before_border, "the last element of each block except the last", false},
    {last_of_full_block, "the last element of each full block", false},
    {last_of_block, "the last element of each block", false},
    {first_block, "the first block", false},
    {behind_first_block, "the first block", true},
    {last_block, "the last block", false},
    {odd, "every 2nd element, starting with element 1", false},
    {third_of_block, "element 2 of each block", false},
    {first_three_of_block, "the first 3 elements of each block", false},
    {last_two_of_full_block, "the last 2 elements of each block", false},
    {first_half, "the first half", false},
    {up_to_parameter, "the first half_n elements", false},
    {fixed, "elements 5 to 12", false},
    {scattered, NULL, false},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drawn drawn;
        struct wrong_pattern pattern = {0};
        draw(&drawn, rows[i].rule, true);
        const bool found = wrong_pattern_find(drawn.arena, &drawn.all, &pattern);
        if (found != (rows[i].where != NULL)) {
            fail_msg("row %zu: %s", i, found ? pattern.where : "nothing is found");
        }
        if (found) {
            assert_string_equal(pattern.where, rows[i].where);
            assert_int_equal(pattern.is_exception, rows[i].is_exception);
            assert_int_equal(pattern.is_all, rows[i].rule == every);
        }
        arena_free(drawn.arena);
    }
}

/* One element that does not fit refutes what was said, and nothing is said of tiles. */
static void test_one_element_refutes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct drawn drawn;
        struct wrong_pattern pattern = {0};
        draw(&drawn, rows[i].rule, true);
        drawn.states[1][29] = drawn.states[1][29] == ELEMENT_RIGHT ? ELEMENT_WRONG : ELEMENT_RIGHT;
        if (wrong_pattern_find(drawn.arena, &drawn.all, &pattern)) {
            fail_msg("row %zu: %s", i, pattern.where);
        }
        arena_free(drawn.arena);
    }
}

static bool beyond_half_of_the_blocks(size_t length, size_t block, size_t index)
{
    return index >= length / block / 2 * block;
}

static void test_beyond_the_grid(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, beyond_half_of_the_blocks, false);
    assert_true(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    assert_string_equal(pattern.where, "the elements past the last block of the grid");
    assert_non_null(strstr(pattern.hint, "round up"));
    arena_free(drawn.arena);
}

/* Without the size of a block nothing is said of blocks. */
static void test_unknown_block(void **state)
{
    struct drawn drawn;
    struct wrong_pattern pattern;

    (void)state;
    draw(&drawn, border, true);
    for (size_t i = 0; i < CASES; i++) {
        drawn.maps[i].block = 0;
    }
    assert_false(wrong_pattern_find(drawn.arena, &drawn.all, &pattern));
    arena_free(drawn.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_one_element_refutes),
        cmocka_unit_test(test_beyond_the_grid),
        cmocka_unit_test(test_unknown_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
