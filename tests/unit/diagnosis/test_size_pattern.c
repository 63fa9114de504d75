/* test_size_pattern.c: for which sizes results are right, with counts. */
#include "diagnosis/patterns/size_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PARAMETERS = 2, SHAPES_MAX = 12 };

static const char *const names[PARAMETERS] = {"n", "rows"};

struct row {
    const char *what;
    int64_t right[SHAPES_MAX], wrong[SHAPES_MAX]; /* end at a 0 */
    const char *text;                             /* NULL: nothing can be said */
};

static const struct row rows[] = {
    {"nothing wrong", {1, 2, 3}, {0}, NULL},
    {"nothing right", {0}, {1, 2, 3}, NULL},
    {"too large",
     {1, 2, 5, 65536},
     {77734, 100000},
     "right for n up to 65536 (4 shapes), wrong from 77734 on (2 shapes)"},
    {"too small", {300, 5000}, {1}, "wrong for n up to 1 (1 shape), right from 300 on (2 shapes)"},
    {"one size on both sides", {1, 5}, {5, 9}, NULL},
    {"one size on both sides, the small ones wrong", {5, 9}, {1, 5}, NULL},
    {"powers, the smallest wrong",
     {2, 256, 4096},
     {1, 3, 300, 5000},
     "right where n is a power of two above 1 (3 shapes), wrong elsewhere (4 shapes)"},
    {"powers",
     {300, 5000},
     {1, 256, 4096, 8192},
     "wrong where n is a power of two (4 shapes), right elsewhere (2 shapes)"},
    {"a power on either side, and more", {2, 256, 300}, {1, 3, 512}, NULL},
    {"two powers", {2, 9, 16, 300}, {8, 64}, NULL},
    {"multiples",
     {256, 768, 5120},
     {128, 300, 1025},
     "right where n is a multiple of 256 (3 shapes), wrong elsewhere (3 shapes)"},
    {"even",
     {6, 12, 20, 5000},
     {7, 13, 21, 5001},
     "right where n is even (4 shapes), wrong elsewhere (4 shapes)"},
    {"even by chance", {6, 12, 12, 12, 12, 12}, {7, 13}, NULL},
    {"one multiple", {768, 768}, {767, 1025}, NULL},
    {"a multiple that is wrong", {256, 768, 5120}, {128, 512, 1025}, NULL},
};

/* The sizes of one row as the first of some parameters; the others are equal. */
static const char *text_of(struct arena *arena, const struct row *row, size_t parameter_count)
{
    static int64_t parameters[2 * SHAPES_MAX][PARAMETERS];
    static struct judged_shape shapes[2 * SHAPES_MAX];
    struct judged_shapes all = {
        .shapes = shapes, .parameter_names = names, .parameter_count = parameter_count};

    for (size_t i = 0; i < 2; i++) {
        const int64_t *sizes = i == 0 ? row->right : row->wrong;
        for (size_t j = 0; j < SHAPES_MAX && sizes[j] > 0; j++) {
            parameters[all.count][0] = sizes[j];
            parameters[all.count][1] = 7;
            shapes[all.count] = (struct judged_shape){parameters[all.count], 0, i == 1};
            all.count++;
        }
    }
    return size_pattern_find(arena, &all);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = text_of(arena, &rows[i], 1);
        print_message("%s\n", rows[i].what);
        assert_int_equal(text != NULL, rows[i].text != NULL);
        if (text != NULL) {
            assert_string_equal(text, rows[i].text);
        }
        arena_free(arena);
    }
}

/* One of several parameters separates few shapes by chance. */
static void test_several_parameters(void **state)
{
    static const struct row few = {"", {1, 2}, {5, 9}, NULL};
    static const struct row many = {"", {1, 2, 3, 4, 5, 6, 7}, {9, 10, 11}, NULL};
    struct arena *arena = arena_new();

    (void)state;
    assert_non_null(text_of(arena, &few, 1));
    assert_null(text_of(arena, &few, 2));
    assert_null(text_of(arena, &many, 2));
    static const struct row more = {"", {1, 2, 3, 4, 5, 6, 7}, {9, 10, 11, 12}, NULL};
    assert_string_equal(text_of(arena, &more, 2),
                        "right for n up to 7 (7 shapes), wrong from 9 on (4 shapes)");
    arena_free(arena);
}

/* Two that separate them: which one counts is not known. */
static void test_two_that_fit(void **state)
{
    const int64_t parameters[][PARAMETERS] = {{1, 10}, {2, 20}, {3, 30}, {4, 40},
                                              {5, 50}, {6, 60}, {7, 70}, {8, 80}};
    struct judged_shape shapes[8];
    const struct judged_shapes all = {
        .shapes = shapes, .count = 8, .parameter_names = names, .parameter_count = PARAMETERS};
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        shapes[i] = (struct judged_shape){parameters[i], 0, i >= 4};
    }
    assert_null(size_pattern_find(arena, &all));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_several_parameters),
        cmocka_unit_test(test_two_that_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
