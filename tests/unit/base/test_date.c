/* test_date.c: moments as text. The seconds are those of date(1). */
#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    const char *text;
    int64_t seconds;
} good[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"2026-11-20T23:59:00+01:00", 1795215540},
    {"2026-11-20T23:59+01:00", 1795215540},
    {"2026-11-20t22:59:00z", 1795215540},
    {" 2026-11-20 22:59:00.861687000 Z ", 1795215540},
    {"2026-11-20 22:59:00 UTC", 1795215540},
    {"2026-11-20 17:29:00 -0530", 1795215540},
    {"2028-02-29T12:00:00Z", 1835438400},
    {"2016-12-31T23:59:60Z", 1483228800},
    {"9999-12-31T23:59:59Z", 253402300799},
};

static const char *const bad[] = {
    "",
    "2026-11-20",
    "2026-11-20T23:59:00",  /* whose time? */
    "2026-02-29T12:00:00Z", /* no leap year */
    "2026-02-30T12:00:60Z",
    "2026-13-01T12:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T12:60:00Z",
    "2026-11-20T12:00:61Z",
    "2026-11-20T12:00:00.Z",
    "2026-11-20T12:00:00+1:00",
    "2026-11-20T12:00:00+24:00",
    "2026-11-20T12:00:00Z!",
    "1969-12-31T23:59:59Z",
    "20261120T120000Z",
    "-026-11-20T12:00:00Z",
    "2026-11-20T12:00:00CET",
};

static void test_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t seconds = -1;
        if (!date_read(good[i].text, &seconds) || seconds != good[i].seconds) {
            fail_msg("'%s' gave %lld", good[i].text, (long long)seconds);
        }
    }
}

static void test_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t seconds = -1;
        if (date_read(bad[i], &seconds) || seconds != -1) {
            fail_msg("'%s' gave %lld", bad[i], (long long)seconds);
        }
    }
}

static void test_writes(void **state)
{
    struct text text;

    (void)state;
    text_init(&text);
    date_append(&text, 1795215540);
    assert_string_equal(text.bytes, "2026-11-20T22:59:00Z");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_writes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
