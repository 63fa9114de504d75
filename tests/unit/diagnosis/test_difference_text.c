/* test_difference_text.c: one wrong element in words, with its errors. */
#include "diagnosis/patterns/difference_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    struct wrong_element element;
    const char *text;
} rows[] = {
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 2.0, 1.5},
     "got 1.5 instead of 2 in C(0,1): 0.5 too small, 25 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 0x1p-23},
     "got 1.00000012 instead of 1 in C(0,1): 1.19209e-07 too large, 1.19e-05 %, 1 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, -1.0, -1.0 - 0x1p-22},
     "got -1.00000024 instead of -1 in C(0,1): 2.38419e-07 too small, 2.38e-05 %, 2 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0 + 0x1p-25, 1.0},
     "got 1 instead of 1.00000003 in C(0,1): 2.98023e-08 too small, 2.98e-06 %, 0.2 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 13.0, -12.0},
     "got -12 instead of 13 in C(0,1): 25 too small, 192 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 1000 * 0x1p-23},
     "got 1.00011921 instead of 1 in C(0,1): 0.000119209 too large, 0.0119 %, 1000 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 1001 * 0x1p-23},
     "got 1.00011933 instead of 1 in C(0,1): 0.000119328 too large, 0.0119 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 0.0, 3.0}, "got 3 instead of 0 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F64, ELEMENT_WRONG, 1.0, 1.0 + 0x1p-51},
     "got 1.0000000000000004 instead of 1 in C(0,1): 4.44089e-16 too large, 4.44e-14 %, 2 ulp"},
    {{"C[7]", ELEMENT_I32, ELEMENT_WRONG, 8.0, 6.0},
     "got 6 instead of 8 in C[7]: 2 too small, 25 %"},
    {{"C[7]", ELEMENT_U32, ELEMENT_WRONG, 4294967295.0, 5.0},
     "got 5 instead of 4294967295 in C[7]: 4294967290 too small, 100 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_UNWRITTEN, 13.0, NAN},
     "nothing is written to C(0,1), expected 13"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_NOT_FINITE, 13.0, NAN}, "got NaN instead of 13 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_NOT_FINITE, 13.0, -INFINITY},
     "got -infinity instead of 13 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 0x1p-149, 0x1p-148},
     "got 2.80259693e-45 instead of 1.40129846e-45 in C(0,1): 1.4013e-45 too large, 100 %, 1 ulp"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        assert_string_equal(difference_text(arena, &rows[i].element), rows[i].text);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
