/* test_macro_alias.c: which names get a value together with the override that is defined by them.
 * A_WIDTH gets 96, B_HEIGHT too, A_HEIGHT 32 and BLOCK_SIZE 8. */
#include "toolchain/macro_alias.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { OVERRIDES = 4, FILES_MAX = 2 };

static const struct rubric_override overrides[OVERRIDES] = {
    {.name = "A_WIDTH"},
    {.name = "B_HEIGHT"},
    {.name = "A_HEIGHT"},
    {.name = "BLOCK_SIZE"},
};
static const int64_t values[OVERRIDES] = {96, 96, 32, 8};

struct row {
    const char *files[FILES_MAX];
    const char *expected[FILES_MAX]; /* NULL: with no second name */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        struct source_tree_file files[FILES_MAX] = {{.name = "a.cu"}, {.name = "b.cuh"}};
        struct source_tree tree = {.folder = ".", .files = files};
        struct macro_location locations[OVERRIDES] = {{.kind = MACRO_UNSEEN}};
        while (tree.count < FILES_MAX && rows[i].files[tree.count] != NULL) {
            files[tree.count].text = rows[i].files[tree.count];
            files[tree.count].length = strlen(rows[i].files[tree.count]);
            files[tree.count++].is_reached = true;
        }
        macro_alias_survey(arena, &tree, overrides, OVERRIDES, locations, NULL);
        macro_alias_find(arena, &tree, overrides, OVERRIDES, locations);
        for (size_t k = 0; k < OVERRIDES && rows[i].expected[0] == NULL; k++) {
            if (locations[k].second != NULL) {
                fail_msg("%s stands for %s: %s", overrides[k].name, locations[k].second,
                         rows[i].files[0]);
            }
        }
        for (size_t k = 0; k < tree.count && rows[i].expected[k] != NULL; k++) {
            const struct macro_values given = {overrides, OVERRIDES, values, locations};
            size_t length = 0;
            assert_string_equal(
                size_rewrite(arena, files[k].text, files[k].length, &given, &length),
                rows[i].expected[k]);
        }
        arena_free(arena);
    }
}

static void second_names_get_the_value(void **state)
{
    static const struct row rows[] = {
        {{"#define TILE 16\n#define BLOCK_SIZE TILE\n"},
         {"#define TILE 8 \n#define BLOCK_SIZE 8   \n"}},
        {{"#define BLOCK_SIZE (TILE)\nconst int TILE = 1 << 4;\n"},
         {"#define BLOCK_SIZE 8     \nconst int TILE = 8     ;\n"}},
        {{"#define TILE 16u\nconstexpr int BLOCK_SIZE = static_cast<int>(TILE);"},
         {"#define TILE 8u \nconstexpr int BLOCK_SIZE = 8                     ;"}},
        {{"struct c { enum { TILE = 16 }; };\n#define BLOCK_SIZE c::TILE\n"},
         {"struct c { enum { TILE = 8  }; };\n#define BLOCK_SIZE 8      \n"}},
        {{"#define T 16\n#define TILE T\n#define BLOCK_SIZE TILE\n"},
         {"#define T 8 \n#define TILE T\n#define BLOCK_SIZE 8   \n"}},
        {{"enum { TILE = 16, BLOCK_SIZE = TILE, A_WIDTH = 64 };\n"
          "void f() { int A_WIDTH = 3; }\n"},
         {"enum { TILE = 8 , BLOCK_SIZE = 8   , A_WIDTH = 96 };\n"
          "void f() { int A_WIDTH = 3; }\n"}},
        {{"#if X\n#define A_WIDTH 64\n#else\n#define A_WIDTH 32\n#endif\n"
          "#define BLOCK_SIZE TILE\n#define TILE 16\n"},
         {"#if X\n#define A_WIDTH 96\n#else\n#define A_WIDTH 96\n#endif\n"
          "#define BLOCK_SIZE 8   \n#define TILE 8 \n"}},
        {{"enum { BLOCK_SIZE = TILE };", "constexpr int TILE{16};"},
         {"enum { BLOCK_SIZE = 8    };", "constexpr int TILE{8 };"}},
        {{"#define TILE 16\n#define BLOCK_SIZE TILE\nvoid f() { int TILE = 3; }\n"},
         {"#define TILE 8 \n#define BLOCK_SIZE 8   \nvoid f() { int TILE = 3; }\n"}},
        {{"#define K 64\n#define A_WIDTH K\n#define B_HEIGHT A_WIDTH\n"},
         {"#define K 96\n#define A_WIDTH 96\n#define B_HEIGHT 96     \n"}},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Where two overrides differ that stand for the same. */
static void names_with_two_values_stay(void **state)
{
    static const struct row rows[] = {
        {{"#define N 64\n#define A_WIDTH N\n#define A_HEIGHT N\n"},
         {"#define N 64\n#define A_WIDTH 96\n#define A_HEIGHT 32\n"}},
        {{"#define N 64\n#define A_WIDTH N\n#define A_HEIGHT A_WIDTH\n"},
         {"#define N 64\n#define A_WIDTH 96\n#define A_HEIGHT 32     \n"}},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void other_names_are_none(void **state)
{
    static const struct row rows[] = {
        {{"#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define BLOCK_SIZE A_WIDTH\n#define A_WIDTH 64\n"}, {NULL}},
        {{"#define TILE 16\n#undef TILE\n#define TILE 32\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define BLOCK_SIZE TILE\n#define TILE 16\n", "const int TILE = 3;\n"}, {NULL}},
        {{"#define TILE 16\n#if X\n#define BLOCK_SIZE TILE\n#else\n#define BLOCK_SIZE "
          "32\n#endif\n"},
         {NULL}},
        {{"#define TILE (HALF * 2)\n#define BLOCK_SIZE TILE\n#define HALF 8\n"}, {NULL}},
        {{"#define TILE 16\n#define BLOCK_SIZE (TILE * 2)\n"}, {NULL}},
        {{"#define TILE 16\n#define BLOCK_SIZE TILE(2)\n"}, {NULL}},
        {{"#define TILE \"16\"\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define TILE 16, 16\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define TILE\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define TILE(x) 16\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define TILE BLOCK_SIZE\n#define BLOCK_SIZE TILE\n"}, {NULL}},
        {{"#define WARP_SIZE 32\n#define BLOCK_SIZE WARP_SIZE\n"}, {NULL}},
        {{"#define kWarp 32\n#define T kWarp\n#define BLOCK_SIZE T\n"}, {NULL}},
        {{"#define N 64\n#define A_WIDTH N\n#define A_HEIGHT (2 * N)\n"}, {NULL}},
        {{"#define N 64\n#define A_WIDTH N\n#define A_HEIGHT M\n#define M (2 * N)\n"}, {NULL}},
        {{"#define N 64\n#define A_WIDTH N\n#if X\n#define A_HEIGHT (2 * N)\n#else\n"
          "#define A_HEIGHT 64\n#endif\n"},
         {NULL}},
        {{"void f() { const int TILE = 16; int BLOCK_SIZE = TILE; }"}, {NULL}},
        {{"#define BLOCK_SIZE A\n#define A B\n#define B C\n#define C D\n#define D E\n"
          "#define E F\n#define F 16\n"},
         {NULL}},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_names_get_the_value),
        cmocka_unit_test(names_with_two_values_stay),
        cmocka_unit_test(other_names_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
