/* date.c: see date.h. */
#include "base/date.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { YEAR_MIN = 1970, YEAR_MAX = 9999, SECONDS_PER_MINUTE = 60, MINUTES_PER_HOUR = 60 };

static const char *pass_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t') {
        text++;
    }
    return text;
}

/* Reads exactly `count` digits within [minimum, maximum]; NULL if they are not there. */
static const char *read_digits(const char *text, int count, int minimum, int maximum, int *out)
{
    int value = 0;

    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return NULL;
        }
        value = value * 10 + (text[i] - '0');
    }
    *out = value;
    return value >= minimum && value <= maximum ? text + count : NULL;
}

/* The same behind a character of its own: "-04". */
static const char *read_part(const char *text, char mark, int minimum, int maximum, int *out)
{
    return text != NULL && *text == mark ? read_digits(text + 1, 2, minimum, maximum, out) : NULL;
}

static const char *read_day(const char *text, struct tm *day)
{
    int year = 0;
    int month = 0;

    text = read_digits(text, 4, YEAR_MIN, YEAR_MAX, &year);
    text = read_part(text, '-', 1, 12, &month);
    text = read_part(text, '-', 1, 31, &day->tm_mday);
    day->tm_year = year - 1900;
    day->tm_mon = month - 1;
    return text;
}

/* ":SS.fraction", which may be left out. */
static const char *read_seconds(const char *text, struct tm *day)
{
    if (text == NULL || *text != ':') {
        return text;
    }
    text = read_part(text, ':', 0, 60, &day->tm_sec);
    if (text != NULL && *text == '.') {
        size_t digits = strspn(text + 1, "0123456789");
        text = digits > 0 ? text + 1 + digits : NULL;
    }
    return text;
}

/* "Z", "UTC", "+01:00", "+0100"; the offset from UTC in seconds. */
static const char *read_zone(const char *text, int *out_offset_s)
{
    int hours = 0;
    int minutes = 0;
    int sign = *text == '-' ? -1 : 1;

    *out_offset_s = 0;
    if (*text == 'Z' || *text == 'z') {
        return text + 1;
    }
    if (strncasecmp(text, "UTC", 3) == 0 || strncasecmp(text, "GMT", 3) == 0) {
        return text + 3;
    }
    if (*text != '+' && *text != '-') {
        return NULL;
    }
    text = read_digits(text + 1, 2, 0, 23, &hours);
    if (text != NULL) {
        text = read_digits(text + (*text == ':'), 2, 0, 59, &minutes);
    }
    *out_offset_s = sign * (hours * MINUTES_PER_HOUR + minutes) * SECONDS_PER_MINUTE;
    return text;
}

bool date_read(const char *text, int64_t *out_seconds)
{
    struct tm day = {0};
    int offset_s = 0;

    text = read_day(pass_blanks(text), &day);
    if (text == NULL || (*text != 'T' && *text != 't' && *text != ' ')) {
        return false;
    }
    text = *text == ' ' ? pass_blanks(text) : text + 1;
    text = read_digits(text, 2, 0, 23, &day.tm_hour);
    text = read_seconds(read_part(text, ':', 0, 59, &day.tm_min), &day);
    text = text == NULL ? NULL : read_zone(pass_blanks(text), &offset_s);
    if (text == NULL || *pass_blanks(text) != '\0') {
        return false;
    }
    int seconds = day.tm_sec; /* 60 would carry into the next day */
    day.tm_sec = 0;
    struct tm normal = day;
    int64_t minute_start = (int64_t)timegm(&normal);
    if (normal.tm_mday != day.tm_mday) {
        return false; /* the 30th of February */
    }
    *out_seconds = minute_start + seconds - offset_s;
    return true;
}

void date_append(struct text *out, int64_t seconds)
{
    time_t moment = (time_t)seconds;
    struct tm day;

    if (gmtime_r(&moment, &day) == NULL) {
        day = (struct tm){.tm_year = YEAR_MIN - 1900, .tm_mday = 1};
    }
    text_printf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", day.tm_year + 1900, day.tm_mon + 1,
                day.tm_mday, day.tm_hour, day.tm_min, day.tm_sec);
}
