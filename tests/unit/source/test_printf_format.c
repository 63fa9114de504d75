/* test_printf_format.c: formats that do not fit what is printed. */
#include "source/printf_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *source, const char *label)
{
    struct arena *arena = arena_new();
    const struct source_file file = {"a.cu", source, strlen(source)};
    struct source_tokens tokens;
    struct printf_mistake mistake;
    size_t at = 0;

    source_tokens_read(arena, &file, &tokens);
    while (at < tokens.count && tokens.tokens[at].kind != TOKEN_STRING) {
        at++;
    }
    assert_int_equal(printf_mistake_find(arena, &tokens, at, &mistake), label != NULL);
    if (label != NULL) {
        assert_string_equal(mistake.label, label);
    }
    arena_free(arena);
}

static void mistakes(void **state)
{
    (void)state;
    expect("printf(\"x: %.4f\\n\");", "this prints 1 value, but 0 are given");
    expect("printf(\"%d of %d\", n);", "this prints 2 values, but 1 is given");
    expect("printf(\"%.4f%\\n\", x);", "a `%` here starts no value");
    expect("printf(\"x: %d\\n\", (double)a / b);", "`%d` prints an int, but a double is given");
    expect("int n = 3; printf(\"%.2f\", n);", "`%.2f` prints a double, but an int is given");
    expect("float x = 3; printf(\"%d %zu\", x, n);", "`%d` prints an int, but a double is given");
}

static void right_ones(void **state)
{
    (void)state;
    expect("printf(\"100 %%, %s %5.2lf %zu\\n\", f(a, b), (double)a / b, n);", NULL);
    expect("printf(\"%d\", (double)a < b);", NULL);
    expect("printf(\"%d\", (int)x);", NULL);
    expect("int n; { float n = 2; printf(\"%f\", n); }", NULL);
    expect("float n[3]; printf(\"%d\", n);", NULL);
    expect("printf(\"%*d\", 3, n);", NULL);
    expect("printf(\"%d\" \"%d\", n, n);", NULL);
    expect("puts(\"%d\");", NULL);
    expect("printf(\"%d\", n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes), cmocka_unit_test(right_ones)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
