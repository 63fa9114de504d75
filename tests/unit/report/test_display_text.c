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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths),
        cmocka_unit_test(windows_say_where_they_cut),
        cmocka_unit_test(paddings_are_exact),
        cmocka_unit_test(foreign_text_is_one_short_printable_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
