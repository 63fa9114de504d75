/* test_entry_variant.c: variants of kernels, by their names. */
#include "ptx/entry_variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_names(void **state)
{
    static const struct {
        const char *name;
        const char *varied; /* NULL: it is no variant */
        unsigned number;
    } rows[] = {
        {"_Z24step_gpugrade_variant_12Pfi", NULL, 0}, /* a wrong length */
        {"_Z25step_gpugrade_variant_123Pfi", "_Z4stepPfi", 123},
        {"_Z24step_gpugrade_variant_11Pfi", "_Z4stepPfi", 11},
        {"_Z23step_gpugrade_variant_1Pfi", "_Z4stepPfi", 1},
        {"_ZN2ns24step_gpugrade_variant_10EPfi", "_ZN2ns4stepEPfi", 10},
        {"_Z23step_gpugrade_variant_0IfLi3EEvPT_", "_Z4stepIfLi3EEvPT_", 0},
        {"_Z23step_gpugrade_variant_53fooS_", "_Z4step3fooS_", 5}, /* 5, then a type of 3 letters */
        {"step_gpugrade_variant_7", "step", 7},
        {"_Z4stepPfi", NULL, 0},
        {"_Z5step_gpugrade_variant_Pfi", NULL, 0},
        {"step_gpugrade_variant_", NULL, 0},
    };

    (void)state;
    for (size_t i = 1; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        unsigned number = 0;
        const char *varied = entry_variant_of(arena, rows[i].name, &number);
        if (rows[i].varied == NULL) {
            assert_null(varied);
        } else {
            assert_non_null(varied);
            assert_string_equal(varied, rows[i].varied);
            assert_int_equal(number, rows[i].number);
        }
        arena_free(arena);
    }
}

static void test_entries(void **state)
{
    static const char text[] = ".visible .entry _Z4stepPfi(\n.param .u64 a)\n{ ret; }\n"
                               ".visible .entry _Z5startv()\n{ ret; }\n";
    const size_t length = sizeof text - 1;

    (void)state;
    assert_true(entry_is_in(text, length, "_Z4stepPfi"));
    assert_true(entry_is_in(text, length, "_Z5startv"));
    assert_false(entry_is_in(text, length, "_Z4stepPf"));
    assert_false(entry_is_in(text, length, "_Z4stepPfii"));
    assert_false(entry_is_in(text, 20, "_Z4stepPfi"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
