/* test_edit_place.c: the operand that a change changes, and what kind of thing would be there. */
#include "diagnosis/fixes/edit_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_kinds(void **state)
{
    static const struct {
        const char *before, *after;
        int column;
        const char *operand, *kind;
        bool is_of_access;
    } rows[] = {
        {"s += t[k][tx];", "s += t[k][ty];", 11, "tx", "another index", true},
        {"s += t[threadIdx.x];", "s += t[threadIdx.y];", 8, "threadIdx.x", "another index", true},
        {"s += t[i + 2];", "s += t[i + 1];", 12, "2", "an offset of one", true},
        {"s += t[i];", "s += t[i - 1];", 8, "i", "an offset of one", true},
        {"s += t[i + 1];", "s += t[i];", 10, "+ 1", "an offset of one", true},
        {"if (i <= n) {", "if (i < n) {", 7, "<=", "another comparison", true},
        {"for (int k = 0; k < m; k++) {", "for (int k = 0; k < n; k++) {", 21, "m", "another bound",
         true},
        {"y = a - b;", "y = a + b;", 7, "-", "another sign", false},
        {"y = a * b;", "y = a / b;", 7, "*", "another operator", false},
        {"y = 3 * a;", "y = 7 * a;", 5, "3", "another number", false},
        {"y = a * b;", "y = c * b;", 5, "a", "another variable", false},
        {"y = a - b;", "y = b - a;", 5, "a - b", "another order", false},
        {"i = blockIdx.x + threadIdx.x * w;", "i = threadIdx.x + blockIdx.x * w;", 5,
         "blockIdx.x + threadIdx.x", "another order", false},
        {"a[i] = f(y, x, n);", "a[i] = f(x, y, n);", 10, "y, x", "another order", false},
        {"s = (x1 - x0) / width;", "s = (y1 - y0) / height;", 5, "(x1 - x0) / width",
         "other variables", false},
        {"c = (char)0.5f * a + b;", "c = (char)(0.5f * a + b);", 5, "(char)0.5f", "brackets",
         false},
        {"i = threadIdx.x;", "i = blockIdx.x * n + threadIdx.x;", 5, "threadIdx.x", "one more term",
         false},
        {"v = f(s.x + x, y);", "v = f(s.x + x, s.y + y);", 16, "y", "one more term", false},
        {"b = y > 0 && x > 0;", "b = y >= 0 && x >= 0;", 7, ">", "other comparisons", false},
        {"__shared__ int t[4];", "__shared__ float t[4];", 12, "int", "another type", false},
        {"float f(int a, int b)", "float f(float a, float b)", 9, "int", "another type", false},
        {"return -INT_MAX;", "return INT_MIN;", 8, "-INT_MAX", "another limit", false},
        {"j = first + i;", "j = first + threadIdx.x;", 13, "i", "another index", false},
        {"s += t[a + i][b];", "s += t[b + i][a];", 7, "[a + i][b]", "another order", true},
        {"while (k <= n && x <= 4) {", "while (k < n && x < 4) {", 10, "<=", "other comparisons",
         true},
        {"for (k = 1; k <= n; k++) {", "for (k = 0; k < n; k++) {", 10,
         "1; k <=", "another start and end", true},
        {"for (k = 1; k < n; k *= 2) {", "for (k = n / 2; k > 0; k /= 2) {", 6,
         "k = 1; k < n; k *= 2", "the loop the other way round", true},
        {"for (int k = n; k > 0; k >>= 1)", "for (int k = 1; k <= n; k <<= 1)", 6,
         "int k = n; k > 0; k >>= 1", "the loop the other way round", true},
        {"for (k = 1; k < n; k *= 2) {", "for (k = 1; k < n; k /= 2) {", 22,
         "*=", "another operator", true},
        {"float p[N / 2];", "float p[N];", 11, "/ 2", "another size", true},
        {"s += up(m, s);", "s += down(m, s);", 6, "up", "another function", false},
        {"y = a * a * a;", "y = a * a;", 11, "* a", "another expression", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const struct line_fixes change = {{{"a.cu", 7, rows[i].before, rows[i].after}}, 1};
        struct edit_place place;
        assert_true(edit_place_find(arena, &change, &place));
        assert_string_equal(place.file, "a.cu");
        assert_int_equal(place.line, 7);
        assert_int_equal(place.column, rows[i].column);
        assert_string_equal(place.operand, rows[i].operand);
        assert_string_equal(place.kind, rows[i].kind);
        assert_int_equal(place.is_of_access, rows[i].is_of_access);
        arena_free(arena);
    }
}

/* A line that is new or removed, two lines, and no change at all have no operand. */
static void test_others(void **state)
{
    const struct line_fixes others[] = {
        {{{"a.cu", 7, NULL, "__syncthreads();"}}, 1},
        {{{"a.cu", 7, "f();", NULL}}, 1},
        {{{"a.cu", 7, "a;", "b;"}, {"a.cu", 8, "a;", "b;"}}, 2},
        {{{"a.cu", 7, "a;", "a;"}}, 1},
        {{{"a.cu", 7, "", "a;"}}, 1},
    };
    struct edit_place place;

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct arena *arena = arena_new();
        assert_false(edit_place_find(arena, &others[i], &place));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
