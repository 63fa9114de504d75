/* test_source_value.c: which part of a line a mark covers. */
#include "source/source_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void marks_what_is_read(void **state)
{
    static const struct {
        const char *text;
        int column;
        const char *value; /* NULL: nothing is assigned */
    } rows[] = {
        {"out[i] = 2 * in[i];", 1, "2 * in[i]"},
        {"  int x = in[i + 1]; // why = not", 3, "in[i + 1]"},
        {"sum += in[i];", 1, "sum += in[i]"},
        {"bits <<= in[i];", 1, "bits <<= in[i]"},
        {"for (int i = in[0]; i < n; i++)", 6, "in[0]"},
        {"same = a[i] == b[i];", 1, "a[i] == b[i]"},
        {"if (a[i] <= b[i]) {", 1, NULL},
        {"use(a[i] = 3, b);", 1, NULL},
        {"return in[i];", 1, NULL},
        {"x =", 1, NULL},
        {"", 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct source_file source = {
            .name = "a.cu", .text = rows[i].text, .length = strlen(rows[i].text)};
        int column = 0;
        int end = 0;
        bool found = source_find_value(&source, 1, rows[i].column, &column, &end);
        assert_int_equal(found, rows[i].value != NULL);
        if (found) {
            assert_int_equal(end - column, strlen(rows[i].value));
            assert_memory_equal(rows[i].text + column - 1, rows[i].value, strlen(rows[i].value));
        }
    }
}

static void marks_names_strings_and_lines(void **state)
{
    static const struct {
        const char *text;
        int column, mark_end;
        const char *covered;
    } rows[] = {
        {"  sum += As[ty][k + b[1]] * 2;", 10, 0, "As[ty][k + b[1]]"},
        {"  sum += 2;", 3, 0, "sum"},
        {"printf(\"a \\\" b\", c);", 8, 0, "\"a \\\" b\""},
        {"printf(\"open", 8, 0, "\""},
        {"a + b", 3, 0, "+"},
        {"a + b", 1, 6, "a + b"},
        {"\t a = b;", 0, 0, "a = b;"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct source_line line = {rows[i].text, strlen(rows[i].text)};
        size_t start, end;
        source_mark_span(&line, rows[i].column, rows[i].mark_end, &start, &end);
        assert_int_equal(end - start, strlen(rows[i].covered));
        assert_memory_equal(rows[i].text + start, rows[i].covered, end - start);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_what_is_read),
        cmocka_unit_test(marks_names_strings_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
