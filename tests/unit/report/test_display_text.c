/* test_display_text.c: columns of a terminal. */
#include "report/display_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EURO "\xE2\x82\xAC"
#define WIDE "\xE4\xB8\xAD"      /* two columns */
#define ACCENT "e\xCC\x81"       /* one column, two characters */
#define SMILE "\xF0\x9F\x98\x80" /* two columns */

static void widths(void **state)
{
    (void)state;
    assert_int_equal(display_width(""), 0);
    assert_int_equal(display_width("abc"), 3);
    assert_int_equal(display_width(EURO), 1);
    assert_int_equal(display_width(WIDE WIDE), 4);
    assert_int_equal(display_width(ACCENT), 1);
    assert_int_equal(display_width(SMILE "x"), 3);
}

static void assert_window(const char *string, size_t skip, size_t columns, const char *expected)
{
    struct text text;

    text_init(&text);
    display_append_window(&text, string, skip, columns);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void windows_say_where_they_cut(void **state)
{
    (void)state;
    assert_window("0123456789", 0, 10, "0123456789");
    assert_window("0123456789ab", 0, 10, "0123456...");
    assert_window("0123456789ab", 2, 10, "...56789ab");
    assert_window("0123456789abcdef", 2, 10, "...5678...");
    /* a wide character that the border would halve becomes a blank */
    assert_window("0123" WIDE "6789ab", 2, 10, "... 6789ab");
    assert_window("0123456789", 0, 8, "");
}

static void paddings_are_exact(void **state)
{
    struct text text;

    (void)state;
    text_init(&text);
    display_append_padded(&text, WIDE, 4);
    text_append_char(&text, '|');
    display_append_padded(&text, "0123456789ab", 10);
    text_append_char(&text, '|');
    assert_string_equal(text.bytes, WIDE "  |0123456...|");
    text_release(&text);
}

static void foreign_text_is_one_short_printable_line(void **state)
{
    struct text text;
    char *long_text = malloc(10001);

    (void)state;
    text_init(&text);
    display_append_foreign(&text, NULL);
    display_append_foreign(&text, "a\n\t\x1b[0m\x9b");
    assert_string_equal(text.bytes, "a\\x0A\\x09\\x1B[0m\\x9B");
    text_clear(&text);
    assert_non_null(long_text);
    memset(long_text, 'x', 10000);
    long_text[10000] = '\0';
    display_append_foreign(&text, long_text);
    assert_non_null(strstr(text.bytes, "xxx... (5904 more bytes)"));
    free(long_text);
    text_release(&text);
}

static void lines_break_before_blanks(void **state)
{
    (void)state;
    assert_int_equal(display_line_bytes("", 10), 0);
    assert_int_equal(display_line_bytes("one two", 7), 7);
    assert_int_equal(display_line_bytes("one two", 6), 3);
    assert_int_equal(display_line_bytes("one two", 3), 3);
    assert_int_equal(display_line_bytes("onetwo", 3), 3);
    assert_int_equal(display_line_bytes(WIDE WIDE WIDE, 5), 6);
    assert_int_equal(display_line_bytes(WIDE, 1), 3); /* one character at least */
    assert_int_equal(display_line_bytes("one", 0), 1);
}

static void assert_wrapped(const char *string, struct wrap wrap, const char *expected)
{
    struct text text;

    text_init(&text);
    display_append_wrapped(&text, string, &wrap);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void long_text_is_wrapped(void **state)
{
    (void)state;
    assert_wrapped("", (struct wrap){4, 4, 12, 9}, "");
    assert_wrapped("ab cd", (struct wrap){4, 4, 12, 9}, "ab cd");
    assert_wrapped("one two  three", (struct wrap){4, 4, 12, 9}, "one two\n    three");
    assert_wrapped("one two three", (struct wrap){8, 2, 12, 9}, "one\n  two three");
    assert_wrapped("0123456789abc", (struct wrap){4, 4, 12, 9}, "01234567\n    89abc");
    assert_wrapped("one two three four", (struct wrap){4, 4, 12, 2}, "one two\n    three...");
    assert_wrapped("abc", (struct wrap){20, 1, 4, 9}, "a\n bc"); /* no room at first */
}

/* GitHub's runner passes over blanks of every kind before it looks for "::". */
static void no_further_line_is_a_command(void **state)
{
    (void)state;
    assert_wrapped("one ::notice x", (struct wrap){4, 4, 20, 9}, "one ::notice x");
    assert_wrapped("one two ::notice x", (struct wrap){4, 4, 16, 9},
                   "one two\n    \\x3A:notice\n    x");
    assert_wrapped("01234567::error ::x", (struct wrap){4, 4, 12, 9},
                   "01234567\n    \\x3A:err\n    or ::x");
    assert_wrapped("one two \xE3\x80\x80::error", (struct wrap){4, 4, 12, 9},
                   "one two\n    \xE3\x80\x80\\x3A:\n    error");
    assert_wrapped("one two :\xCC\x81:error", (struct wrap){4, 4, 18, 9},
                   "one two\n    \\x3A\xCC\x81:error");
    assert_wrapped("one two : x", (struct wrap){4, 4, 12, 9}, "one two\n    : x");
    assert_wrapped("one two ::x", (struct wrap){4, 4, 5, 9},
                   "o\n    n\n    e\n    t\n    w\n    o\n    \\x3A:\n    x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths),
        cmocka_unit_test(windows_say_where_they_cut),
        cmocka_unit_test(paddings_are_exact),
        cmocka_unit_test(foreign_text_is_one_short_printable_line),
        cmocka_unit_test(lines_break_before_blanks),
        cmocka_unit_test(long_text_is_wrapped),
        cmocka_unit_test(no_further_line_is_a_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
