/* test_base64.c: the examples of RFC 4648, section 10, and every byte. */
#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check(const void *bytes, size_t length, const char *expected)
{
    struct text text;

    text_init(&text);
    base64_append(&text, bytes, length);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void it_is_that_of_the_rfc(void **state)
{
    static const char high[] = "\x00\xFF\xFE\x80";

    (void)state;
    check("", 0, "");
    check("f", 1, "Zg==");
    check("fo", 2, "Zm8=");
    check("foo", 3, "Zm9v");
    check("foob", 4, "Zm9vYg==");
    check("fooba", 5, "Zm9vYmE=");
    check("foobar", 6, "Zm9vYmFy");
    check(high, 4, "AP/+gA==");
}

static bool decode(const char *letters, struct text *out)
{
    text_clear(out);
    return base64_decode(out, letters, strlen(letters));
}

static void what_is_read_is_what_was_written(void **state)
{
    struct text letters, bytes;
    char all[256];

    (void)state;
    text_init(&letters);
    text_init(&bytes);
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (char)i;
    }
    for (size_t length = 0; length <= sizeof all; length++) {
        text_clear(&letters);
        base64_append(&letters, all, length);
        assert_true(decode(letters.bytes, &bytes));
        assert_int_equal(bytes.length, length);
        assert_memory_equal(bytes.bytes, all, length);
    }
    text_release(&bytes);
    text_release(&letters);
}

static void other_text_is_refused(void **state)
{
    static const char *const others[] = {
        "Z",    "Zg",   "Zg=",    "Zh==", "Zm9=", "Zg==Zg==",  "====",    "Z===",     "Zm9v\n",
        "Zm 9", "Zm-_", "Zg==\n", "=Zg=", "Z=g=", "Zm9vZg= =", "\xFFm9v", "Zm9vYmE=="};
    struct text bytes;

    (void)state;
    text_init(&bytes);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (decode(others[i], &bytes)) {
            fail_msg("'%s' is taken", others[i]);
        }
    }
    text_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_rfc),
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(other_text_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
