/* test_shape_pattern.c: for which shapes results are right, in words. */
#include "diagnosis/patterns/shape_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 8, PARAMETERS = 3, SHAPES_MAX = 8 };

static const char *const names[PARAMETERS] = {"height", "inner", "width"};

struct row {
    const char *what;
    struct {
        int64_t tiles[PARAMETERS];
        bool is_wrong;
    } shapes[SHAPES_MAX];
    bool found;
    const char *where; /* NULL: the pair is all there is */
    bool is_wrong_side;
    size_t right, wrong;
};

static const struct row rows[] = {
    {"nothing wrong", {{{1, 1, 1}, false}, {{1, 2, 3}, false}}, false, NULL, false, 0, 0},
    {"nothing right", {{{1, 1, 1}, true}, {{1, 2, 3}, true}}, false, NULL, false, 0, 0},
    {"a single tile",
     {{{2, 4, 6}, true}, {{1, 1, 1}, false}, {{1, 2, 4}, true}, {{4, 2, 1}, true}},
     true,
     "there is a single tile",
     false,
     1,
     2},
    {"one step",
     {{{2, 4, 6}, true},
      {{1, 1, 1}, false},
      {{2, 1, 4}, false},
      {{1, 2, 4}, true},
      {{4, 2, 1}, true}},
     true,
     "inner is one tile",
     false,
     1,
     3},
    {"square in one pair",
     {{{2, 2, 6}, false}, {{3, 3, 1}, false}, {{2, 3, 6}, true}, {{1, 2, 4}, true}},
     true,
     "height equals inner",
     false,
     0,
     2},
    {"wrong where square",
     {{{2, 2, 6}, true}, {{3, 3, 1}, true}, {{2, 3, 6}, false}, {{1, 2, 4}, false}},
     true,
     "height equals inner",
     true,
     2,
     0},
    {"too wide",
     {{{2, 4, 6}, true},
      {{3, 2, 5}, true},
      {{5, 4, 4}, false},
      {{5, 2, 3}, false},
      {{2, 3, 2}, false},
      {{4, 6, 5}, true}},
     true,
     "height is less than width",
     true,
     3,
     1},
    {"an odd number",
     {{{2, 3, 6}, true},
      {{3, 5, 4}, true},
      {{5, 4, 4}, false},
      {{2, 6, 3}, false},
      {{3, 2, 5}, false},
      {{4, 7, 2}, true}},
     true,
     "inner is an odd number of tiles",
     true,
     3,
     0},
    {"two that fit",
     {{{2, 2, 2}, false}, {{3, 3, 3}, false}, {{2, 3, 4}, true}},
     true,
     NULL,
     false,
     0,
     2},
    {"too few to say", {{{4, 8, 6}, false}, {{4, 8, 2}, true}}, true, NULL, false, 0, 1},
    {"by chance", {{{2, 3, 6}, true}, {{3, 4, 5}, false}}, true, NULL, false, 1, 0},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        int64_t parameters[SHAPES_MAX][PARAMETERS];
        struct judged_shape shapes[SHAPES_MAX];
        struct judged_shapes all = {
            .shapes = shapes, .parameter_names = names, .parameter_count = PARAMETERS};
        struct shape_pattern pattern = {0};
        while (all.count < SHAPES_MAX && rows[i].shapes[all.count].tiles[0] > 0) {
            size_t shape = all.count++;
            for (size_t j = 0; j < PARAMETERS; j++) {
                parameters[shape][j] = rows[i].shapes[shape].tiles[j] * BLOCK;
            }
            shapes[shape] =
                (struct judged_shape){parameters[shape], BLOCK, rows[i].shapes[shape].is_wrong};
        }
        print_message("%s\n", rows[i].what);
        assert_int_equal(shape_pattern_find(arena, &all, &pattern), rows[i].found);
        assert_int_equal(pattern.where != NULL, rows[i].where != NULL);
        if (pattern.where != NULL) {
            assert_string_equal(pattern.where, rows[i].where);
            assert_int_equal(pattern.is_wrong_side, rows[i].is_wrong_side);
        }
        assert_int_equal(pattern.right, rows[i].right);
        assert_int_equal(pattern.wrong, rows[i].wrong);
        arena_free(arena);
    }
}

/* Vectors have lengths, not tiles. */
static void test_vectors(void **state)
{
    static const struct {
        int64_t lengths[4];
        bool are_wrong[4];
        const char *where;
        bool is_wrong_side;
    } vectors[] = {
        {{1, 7, 8, 40}, {false, false, false, true}, "there is a single block", false},
        {{16, 40, 41, 7}, {false, false, true, true}, "n is a multiple of the block size", false},
        {{16, 40, 41, 7}, {true, true, false, false}, "n is a multiple of the block size", true},
        {{16, 40, 41, 7}, {true, false, false, true}, NULL, false},
    };
    static const char *const name[] = {"n"};

    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct arena *arena = arena_new();
        struct judged_shape shapes[4];
        const struct judged_shapes all = {.shapes = shapes,
                                          .count = 4,
                                          .parameter_names = name,
                                          .parameter_count = 1,
                                          .is_vector = true};
        struct shape_pattern pattern = {0};
        for (size_t j = 0; j < 4; j++) {
            shapes[j] = (struct judged_shape){&vectors[i].lengths[j], 8, vectors[i].are_wrong[j]};
        }
        assert_true(shape_pattern_find(arena, &all, &pattern));
        assert_int_equal(pattern.where != NULL, vectors[i].where != NULL);
        if (pattern.where != NULL) {
            assert_string_equal(pattern.where, vectors[i].where);
            assert_int_equal(pattern.is_wrong_side, vectors[i].is_wrong_side);
        }
        arena_free(arena);
    }
}

/* A number of tiles is odd only where there are whole ones. */
static void test_parts_of_tiles_are_not_counted(void **state)
{
    static const char *const name[] = {"n"};
    int64_t lengths[] = {8, 24, 32, 16};
    struct judged_shape shapes[] = {{&lengths[0], 8, true},
                                    {&lengths[1], 8, true},
                                    {&lengths[2], 8, false},
                                    {&lengths[3], 8, false}};
    const struct judged_shapes all = {
        .shapes = shapes, .count = 4, .parameter_names = name, .parameter_count = 1};
    struct shape_pattern pattern;
    struct arena *arena = arena_new();

    (void)state;
    assert_true(shape_pattern_find(arena, &all, &pattern));
    assert_string_equal(pattern.where, "n is an odd number of tiles");
    lengths[3] = 1;
    assert_true(shape_pattern_find(arena, &all, &pattern));
    assert_null(pattern.where);
    lengths[3] = 17;
    assert_true(shape_pattern_find(arena, &all, &pattern));
    assert_null(pattern.where);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_parts_of_tiles_are_not_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
