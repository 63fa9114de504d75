/* test_base64.c: the examples of RFC 4648, section 10. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_rfc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
