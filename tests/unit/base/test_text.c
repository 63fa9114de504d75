/* test_text.c: growing strings, and text made safe for a terminal. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_empty(void **state)
{
    struct text text;

    (void)state;
    text_init(&text);
    assert_string_equal(text.bytes, "");
    text_clear(&text);
    text_append(&text, "");
    text_append_repeated(&text, 'x', 0);
    assert_string_equal(text.bytes, "");
    assert_int_equal(text.capacity, 0);
    text_release(&text);
    text_release(NULL);
}

static void test_grows(void **state)
{
    struct text text;

    (void)state;
    text_init(&text);
    for (int i = 0; i < 1000; i++) {
        text_printf(&text, "%d,", i);
    }
    assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(text.bytes), text.length);
    assert_true(text_starts_with(text.bytes, "0,1,2,"));
    assert_true(text_ends_with(text.bytes, ",998,999,"));
    text_clear(&text);
    assert_string_equal(text.bytes, "");
    text_append_char(&text, 'a');
    text_append_repeated(&text, '-', 3);
    text_append_bytes(&text, "b\0c", 3);
    assert_int_equal(text.length, 7);
    assert_memory_equal(text.bytes, "a---b\0c", 8);
    text_release(&text);
    assert_int_equal(text.length, 0);
    assert_string_equal(text.bytes, "");
}

static void test_utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        bool good;
    } rows[] = {
        {"", 0, true},
        {"abc", 3, true},
        {"a\0c", 3, false},
        {"\xC2\x80", 2, true},
        {"\xC1\xBF", 2, false},     /* overlong */
        {"\xE0\x9F\xBF", 3, false}, /* overlong */
        {"\xE0\xA0\x80", 3, true},
        {"\xED\x9F\xBF", 3, true},
        {"\xED\xA0\x80", 3, false},     /* a surrogate */
        {"\xF0\x8F\xBF\xBF", 4, false}, /* overlong */
        {"\xF4\x8F\xBF\xBF", 4, true},
        {"\xF4\x90\x80\x80", 4, false}, /* above U+10FFFF */
        {"\xE2\x82", 2, false},         /* cut */
        {"\x80", 1, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(text_is_utf8(rows[i].bytes, rows[i].length), rows[i].good);
    }
}

static void check_printable(const char *bytes, size_t length, bool keep_lines, const char *expected)
{
    struct text text;

    text_init(&text);
    text_append_printable(&text, bytes, length, keep_lines);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void test_printable(void **state)
{
    (void)state;
    check_printable("plain \xC3\xA4", 8, false, "plain \xC3\xA4");
    check_printable("\x1B[31mred", 8, true, "\\x1B[31mred");
    check_printable("a\nb\tc\r", 6, true, "a\nb\tc\\x0D");
    check_printable("a\nb\tc", 5, false, "a\\x0Ab\\x09c");
    check_printable("\x7F\0", 2, false, "\\x7F\\x00");
    check_printable("\xC2\x9B"
                    "1m",
                    4, false, "\\xC2\\x9B1m"); /* a control sequence in C1 */
    check_printable("\xFF\xC3", 2, false, "\\xFF\\xC3");
    check_printable("\xE2\x80\xAEgpj", 6, false, "\\xE2\\x80\\xAEgpj"); /* right to left */
    check_printable("\xE2\x82\xAC", 3, false, "\xE2\x82\xAC");          /* a euro sign */
    check_printable("a\xE2\x80\x8B"
                    "b",
                    5, false, "a\\xE2\\x80\\x8Bb");                        /* a space of no width */
    check_printable("\xF3\xA0\x81\x81", 4, false, "\\xF3\\xA0\\x81\\x81"); /* a tag */
    check_printable("\xE2\x80\xA8", 3, true, "\\xE2\\x80\\xA8");           /* a line separator */
    check_printable("\xEF\xBF\xBF", 3, false, "\\xEF\\xBF\\xBF");
    check_printable("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81", 9, false,
                    "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81");
    check_printable("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81", 11, false,
                    "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\\xCC\\x81");
    check_printable("x ##[error]", 11, false, "x ##\\x5Berror]");
    check_printable("#[a]", 4, false, "#[a]");
    check_printable("a ::b\n::c\n \t::d::e", 18, true, "a ::b\n\\x3A:c\n \t\\x3A:d::e");
    check_printable("a\n\xC2\xA0::b\n: :\n:", 13, true, "a\n\xC2\xA0\\x3A:b\n: :\n:");
}

static void test_integers(void **state)
{
    static const char *const refused[] = {
        "", " 1", "1 ", "+1", "0x10", "1.5", "-", "a", "8", "-1", "99999999999999999999"};
    long long value = 42;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(text_to_integer(refused[i], 0, 7, &value));
        assert_int_equal(value, 42);
    }
    assert_true(text_to_integer("007", 0, 7, &value));
    assert_int_equal(value, 7);
    assert_true(text_to_integer("-3", -3, 7, &value));
    assert_int_equal(value, -3);
}

static void test_affixes(void **state)
{
    (void)state;
    assert_true(text_starts_with("kernel.cu", "kernel"));
    assert_true(text_starts_with("a", ""));
    assert_false(text_starts_with("ker", "kernel"));
    assert_true(text_ends_with("kernel.cu", ".cu"));
    assert_false(text_ends_with("cu", ".cu"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_grows),
        cmocka_unit_test(test_utf8),     cmocka_unit_test(test_printable),
        cmocka_unit_test(test_integers), cmocka_unit_test(test_affixes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
