/* test_newer_code.c: code for newer GPUs, found by what __CUDA_ARCH__ is compared with. */
#include "source/newer_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void comparisons_say_what_code_is_for(void **state)
{
    static const struct {
        const char *text;
        uint32_t architecture;
        int line;
    } rows[] = {
        {"c[i] = a[i];", 0, 0},
        {"#ifdef __CUDA_ARCH__\n#endif", 0, 0},
        {"#if __CUDA_ARCH__ >= 800\n", 800, 1},
        {"\n#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= (800))\n", 800, 2},
        {"#if __CUDA_ARCH__>799\n", 800, 1},
        {"#if __CUDA_ARCH__ == 860u\n", 860, 1},
        {"#if 800 <= __CUDA_ARCH__\n", 800, 1},
        {"#if (800 < __CUDA_ARCH__)\n", 801, 1},
        {"#if __CUDA_ARCH__ \\\n >= 900\n", 900, 2},
        {"#if A\n#elif __CUDA_ARCH__ >= 900\n", 900, 2},
        {"#define NEW (__CUDA_ARCH__ >= 900)\n", 900, 1},
        {"if (__CUDA_ARCH__ >= 900) {", 900, 1},
        {"#if __CUDA_ARCH__ >= 800\n#endif\n#if __CUDA_ARCH__ >= 900\n#endif\n"
         "#if __CUDA_ARCH__ >= 900\n",
         900, 3},
        /* what older ones do not meet is under #else, #elif or #error */
        {"#if __CUDA_ARCH__ < 800\n#endif\n#else", 0, 0},
        {"#if __CUDA_ARCH__ < 800\n\n#else\n", 800, 3},
        {"#if __CUDA_ARCH__ <= 890\n#if A\n#else\n#endif\n#else\n", 891, 5},
        {"#if __CUDA_ARCH__ != 900\n#elif B\n#else\n", 900, 2},
        {"#if 800 > __CUDA_ARCH__\n#error no\n", 800, 2},
        {"#if __CUDA_ARCH__ < 800\n#ifdef A\n#error no\n", 0, 0},
        {"#if __CUDA_ARCH__ < 900\n#elif __CUDA_ARCH__ < 1000\n#else\n", 1000, 3},
        {"if (__CUDA_ARCH__ < 800) {\n#else", 0, 0},
        /* neither */
        {"// __CUDA_ARCH__ >= 800\n/* __CUDA_ARCH__ >= 800 */ \"__CUDA_ARCH__ >= 800\"", 0, 0},
        {"#if __CUDA_ARCH__ >= 99999999999\n#if __CUDA_ARCH__ >= 9999\n", 0, 0},
        {"#if __CUDA_ARCH__ >=", 0, 0},
        {"#if __CUDA_ARCH__ >= A 800 + __CUDA_ARCH__ << 800 < 900\n", 0, 0},
        {"#if 1 + 800\n#if __CUDA_ARCH__ >= 0x400\n__CUDA_ARCH__", 0, 0},
        {"800 <\n#if __CUDA_ARCH__\n#endif\n", 0, 0},
        {"#endif\n#else\n#error", 0, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct newer_code newest = source_newer_code(rows[i].text, strlen(rows[i].text));
        assert_int_equal(newest.architecture, rows[i].architecture);
        assert_int_equal(newest.line, rows[i].line);
    }
}

/* Conditions have a bound: what is deeper than that is not looked at, and what follows is. */
static void deep_conditions_are_left_alone(void **state)
{
    enum { DEEP = 1000 };
    static const char open[] = "#if __CUDA_ARCH__ < 800\n", other[] = "#else\n",
                      close[] = "#endif\n";
    char *text = calloc(DEEP, sizeof open + sizeof other + sizeof close);
    char *end = text;
    (void)state;

    assert_non_null(text);
    for (int i = 0; i < DEEP; i++) {
        end = stpcpy(end, open);
    }
    end = stpcpy(end, other);
    for (int i = 0; i < DEEP - 1; i++) {
        end = stpcpy(end, close);
    }
    assert_int_equal(source_newer_code(text, (size_t)(end - text)).architecture, 0);
    end = stpcpy(end, other);
    struct newer_code newest = source_newer_code(text, (size_t)(end - text));
    assert_int_equal(newest.architecture, 800);
    assert_int_equal(newest.line, 2 * DEEP + 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_say_what_code_is_for),
        cmocka_unit_test(deep_conditions_are_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
