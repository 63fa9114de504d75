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

/* In Berlin, where winter is an hour and summer two hours ahead of UTC. */
static const struct {
    const char *text;
    int64_t seconds;
} in_berlin[] = {
    {"2026-11-20T23:59:00", 1795215540},
    {"2026-11-20 23:59", 1795215540},
    {"2026-11-20 22:59:00 UTC", 1795215540},
    {"Friday, 20 November 2026, 11:59 PM", 1795215540},
    {"Friday, 20 November 2026, 11:59\xE2\x80\xAFPM", 1795215540},
    {"Friday, 20 November 2026, 23:59", 1795215540},
    {"20 November 2026, 11:59:00 pm", 1795215540},
    {"20. Nov. 2026 23:59", 1795215540},
    {"Nov 20, 2026 at 11:59pm", 1795215540},
    {"November 20, 2026, 11:59 PM", 1795215540},
    {"Freitag, 20. November 2026, 23:59", 1795215540},
    {"vendredi 20 novembre 2026, 23:59", 1795215540},
    {"viernes, 20 de noviembre de 2026, 23:59", 1795215540},
    {"venerd\xC3\xAC, 20 novembre 2026, 23:59", 1795215540},
    {"sexta-feira, 20 de novembro de 2026 \xC3\xA0s 23:59", 1795215540},
    {"vrijdag, 20 november 2026, 23:59", 1795215540},
    {"Fr., 20. Nov. 2026, 23:59", 1795215540},
    {"lundi 6 juil. 2026,\xC2\xA0"
     "13:00",
     1783332000 + 3600},
    {"Montag, 6. Juli 2026, 12:00", 1783332000},
    {"luned\xC3\xAC, 6 luglio 2026, 12:00", 1783332000},
    {"Fri Nov 20, 2026 11:59pm", 1795215540},
    {"Nov 20, 2026 10:59pm UTC", 1795215540},
    {"Monday, 6 July 2026, 12:00 AM", 1783288800},
    {"July 6, 2026 at 12am", 1783288800},
    {"Monday, 6 July 2026, 12:00 PM", 1783332000},
};

static const char *const bad_in_berlin[] = {
    "2026-11-20",
    "20/11/2026 23:59",
    "Friday, 20 November 2026",
    "lundi 6 jui 2026, 12:00",
    "mar., 20 nov. 2026, 12:00",
    "Friday, 20 November 2026, 13:00 PM",
    "Friday, 20 November 2026, 0:00 AM",
    "Friday, 20 November 2026, 10",
    "31 February 2026, 10:00 PM",
    "20 Nov 26, 10:00 PM",
    "Freitag, 20. Nonember 2026, 22:00",
    "Nov 20 at 10pm",
    "20 November 2026, 10:00 PM CET",
    "Friday",
    ",",
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

static void test_zones(void **state)
{
    struct date_zone zone = {.offset_s = 1};
    int64_t seconds = -1;
    (void)state;

    assert_true(date_zone_read("+0530", &zone) && zone.name == NULL && zone.offset_s == 19800);
    assert_true(date_read_in("2026-11-20 23:59", &zone, &seconds));
    assert_int_equal(seconds, 1795215540 + 3600 - 19800);
    assert_true(date_zone_read("UTC", &zone) && zone.offset_s == 0);
    assert_false(date_zone_read("", &zone) || date_zone_read("Berlin", &zone));
    assert_false(date_zone_read("Europe", &zone) || date_zone_read("Europe/../Zulu", &zone));
    assert_false(date_zone_read("/etc/passwd", &zone));
    if (!date_zone_read("Europe/Berlin", &zone)) {
        skip(); /* a system without zones */
    }
    for (size_t i = 0; i < sizeof in_berlin / sizeof in_berlin[0]; i++) {
        if (!date_read_in(in_berlin[i].text, &zone, &seconds) || seconds != in_berlin[i].seconds) {
            fail_msg("'%s' gave %lld", in_berlin[i].text, (long long)seconds);
        }
    }
    for (size_t i = 0; i < sizeof bad_in_berlin / sizeof bad_in_berlin[0]; i++) {
        if (date_read_in(bad_in_berlin[i], &zone, &seconds)) {
            fail_msg("'%s' gave %lld", bad_in_berlin[i], (long long)seconds);
        }
    }
    assert_false(date_read("Friday, 20 November 2026, 11:59 PM", &seconds)); /* whose time? */
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
        cmocka_unit_test(test_zones),
        cmocka_unit_test(test_writes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
