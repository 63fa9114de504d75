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
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 2.0, 1.5, 0, 0},
     "got 1.5 instead of 2 in C(0,1): 0.5 too small, 25 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 0x1p-23, 0, 0},
     "got 1.00000012 instead of 1 in C(0,1): 1.19209e-07 too large, 1.19e-05 %, 1 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, -1.0, -1.0 - 0x1p-22, 0, 0},
     "got -1.00000024 instead of -1 in C(0,1): 2.38419e-07 too small, 2.38e-05 %, 2 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0 + 0x1p-25, 1.0, 0, 0},
     "got 1 instead of 1.00000003 in C(0,1): 2.98023e-08 too small, 2.98e-06 %, 0.2 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 13.0, -12.0, 0, 0},
     "got -12 instead of 13 in C(0,1): 25 too small, 192 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 1000 * 0x1p-23, 0, 0},
     "got 1.00011921 instead of 1 in C(0,1): 0.000119209 too large, 0.0119 %, 1000 ulp"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 1.0, 1.0 + 1001 * 0x1p-23, 0, 0},
     "got 1.00011933 instead of 1 in C(0,1): 0.000119328 too large, 0.0119 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 0.0, 3.0, 0, 0}, "got 3 instead of 0 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F64, ELEMENT_WRONG, 1.0, 1.0 + 0x1p-51, 0, 0},
     "got 1.0000000000000004 instead of 1 in C(0,1): 4.44089e-16 too large, 4.44e-14 %, 2 ulp"},
    {{"C[7]", ELEMENT_I32, ELEMENT_WRONG, 8.0, 6.0, 0, 0},
     "got 6 instead of 8 in C[7]: 2 too small, 25 %"},
    {{"C[7]", ELEMENT_U32, ELEMENT_WRONG, 4294967295.0, 5.0, 0, 0},
     "got 5 instead of 4294967295 in C[7]: 4294967290 too small, 100 %"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_UNWRITTEN, 13.0, NAN, 0, 0},
     "nothing is written to C(0,1), expected 13"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_NOT_FINITE, 13.0, NAN, 0, 0},
     "got NaN instead of 13 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_NOT_FINITE, 13.0, -INFINITY, 0, 0},
     "got -infinity instead of 13 in C(0,1)"},
    {{"C(0,1)", ELEMENT_F32, ELEMENT_WRONG, 0x1p-149, 0x1p-148, 0, 0},
     "got 2.80259693e-45 instead of 1.40129846e-45 in C(0,1): 1.4013e-45 too large, 100 %, 1 ulp"},
    {{"C[7]", ELEMENT_I64, ELEMENT_WRONG, 0x1p53, 0x1p53, INT64_C(9007199254740993),
      INT64_C(9007199254740992)},
     "got 9007199254740992 instead of 9007199254740993 in C[7]: 1 too small, 1.11e-14 %"},
    {{"C[7]", ELEMENT_U64, ELEMENT_WRONG, 18446744073709551615.0, 5.0, -1, 5},
     "got 5 instead of 18446744073709551615 in C[7]: 18446744073709551616 too small, 100 %"},
    {{"C[7]", ELEMENT_F16, ELEMENT_WRONG, 1.0, 1.0 + 0x1p-10, 0, 0},
     "got 1.00097656 instead of 1 in C[7]: 0.000976562 too large, 0.0977 %, 1 ulp"},
    {{"C[7]", ELEMENT_U8, ELEMENT_WRONG, 255, 0, 0, 0},
     "got 0 instead of 255 in C[7]: 255 too small, 100 %"},
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
