/* date.c: see date.h. */
#include "base/date.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

enum { YEAR_MIN = 1970, YEAR_MAX = 9999, SECONDS_PER_MINUTE = 60, MINUTES_PER_HOUR = 60 };

static const char zone_bytes[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-/";

/* Blanks, and those that do not break a line, as some platforms put before "PM". */
static const char *pass_blanks(const char *text)
{
    static const char *const blanks[] = {" ", "\t", "\xC2\xA0", "\xE2\x80\xAF"};

    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        if (text_starts_with(text, blanks[i])) {
            text += strlen(blanks[i]);
            i = SIZE_MAX; /* from the start again */
        }
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

/* One or two digits within [minimum, maximum]; NULL if they are not there. */
static const char *read_small(const char *text, int minimum, int maximum, int *out)
{
    bool has_two = isdigit((unsigned char)text[0]) && isdigit((unsigned char)text[1]);

    return read_digits(text, has_two ? 2 : 1, minimum, maximum, out);
}

/* Months in English, German, French, Spanish, Italian, Portuguese and Dutch, each form once. */
static const struct month_name {
    int month; /* from 0 */
    const char *name;
} month_names[] = {
    {0, "january"},
    {0, "januar"},
    {0, "j\xC3\xA4nner"},
    {0, "janvier"},
    {0, "enero"},
    {0, "gennaio"},
    {0, "janeiro"},
    {1, "february"},
    {1, "februar"},
    {1, "feber"},
    {1, "f\xC3\xA9vrier"},
    {1, "febrero"},
    {1, "febbraio"},
    {1, "fevereiro"},
    {2, "march"},
    {2, "m\xC3\xA4rz"},
    {2, "mars"},
    {2, "marzo"},
    {2, "mar\xC3\xA7o"},
    {2, "maart"},
    {2, "mrt"},
    {3, "april"},
    {3, "avril"},
    {3, "abril"},
    {3, "aprile"},
    {4, "may"},
    {4, "mai"},
    {4, "mayo"},
    {4, "maggio"},
    {4, "maio"},
    {4, "mei"},
    {5, "june"},
    {5, "juni"},
    {5, "juin"},
    {5, "junio"},
    {5, "giugno"},
    {5, "junho"},
    {6, "july"},
    {6, "juli"},
    {6, "juillet"},
    {6, "julio"},
    {6, "luglio"},
    {6, "julho"},
    {7, "august"},
    {7, "ao\xC3\xBBt"},
    {7, "agosto"},
    {7, "augustus"},
    {8, "september"},
    {8, "septembre"},
    {8, "septiembre"},
    {8, "setiembre"},
    {8, "settembre"},
    {8, "setembro"},
    {9, "october"},
    {9, "oktober"},
    {9, "octobre"},
    {9, "octubre"},
    {9, "ottobre"},
    {9, "outubro"},
    {10, "november"},
    {10, "novembre"},
    {10, "noviembre"},
    {10, "novembro"},
    {11, "december"},
    {11, "dezember"},
    {11, "d\xC3\xA9"
         "cembre"},
    {11, "diciembre"},
    {11, "dicembre"},
    {11, "dezembro"},
};

enum { MONTH_NAMES = sizeof month_names / sizeof month_names[0] };

/* How many bytes of a word are here: letters, of other alphabets too. */
static size_t word_length(const char *text)
{
    size_t length = 0;

    while ((isalpha((unsigned char)text[length]) || (unsigned char)text[length] >= 0x80) &&
           pass_blanks(text + length) == text + length) {
        length++;
    }
    return length;
}

/* "November", "Nov", "Nov."; NULL if it is no month, or could be two. */
static const char *read_month(const char *text, struct tm *day)
{
    const size_t length = word_length(text);
    int month = -1;

    for (size_t i = 0; i < MONTH_NAMES && length >= 3; i++) {
        if (length <= strlen(month_names[i].name) &&
            strncasecmp(text, month_names[i].name, length) == 0) {
            if (month >= 0 && month != month_names[i].month) {
                return NULL;
            }
            month = month_names[i].month;
        }
    }
    if (month < 0) {
        return NULL;
    }
    day->tm_mon = month;
    return text + length + (text[length] == '.');
}

static const char *pass_comma(const char *text)
{
    text = pass_blanks(text);
    return pass_blanks(text + (*text == ','));
}

/* Passes one of the words [count] that stand between parts of a date, if one is there. */
static const char *pass_word(const char *text, const char *const *words, size_t count)
{
    size_t length = word_length(text);

    for (size_t i = 0; i < count; i++) {
        if (length == strlen(words[i]) && strncasecmp(text, words[i], length) == 0) {
            return pass_blanks(text + length);
        }
    }
    return text;
}

/* Passes "Friday,", "vendredi", "sexta-feira,", "Fr.,", if a day of the week is there. */
static const char *pass_weekday(const char *text)
{
    struct tm unused;
    size_t length;

    if (read_month(text, &unused) != NULL || word_length(text) == 0) {
        return text;
    }
    while ((length = word_length(text)) > 0 || *text == '.' || *text == '-') {
        text += length > 0 ? length : 1;
    }
    return pass_comma(text);
}

/* "Friday, 20 November 2026,", "Nov 20, 2026 at", "viernes, 20 de noviembre de 2026," */
static const char *read_named_day(const char *text, struct tm *day)
{
    static const char *const of[] = {"de"};
    static const char *const at[] = {"at", "um", "om", "\xC3\xA0", "\xC3\xA0s"};
    int year = 0;

    text = pass_weekday(text);
    const char *month = read_month(text, day);
    if (month != NULL) {
        text = read_small(pass_blanks(month), 1, 31, &day->tm_mday);
    } else {
        text = read_small(text, 1, 31, &day->tm_mday);
        text = text == NULL ? NULL : pass_word(pass_blanks(text + (*text == '.')), of, 1);
        text = text == NULL ? NULL : read_month(text, day);
    }
    text = text == NULL ? NULL : pass_word(pass_comma(text), of, 1);
    text = text == NULL ? NULL : read_digits(text, 4, YEAR_MIN, YEAR_MAX, &year);
    if (text == NULL) {
        return NULL;
    }
    day->tm_year = year - 1900;
    return pass_word(pass_comma(text), at, sizeof at / sizeof at[0]);
}

/* "22:00", "10:00:30 PM", "10pm". */
static const char *read_clock(const char *text, struct tm *day)
{
    const char *minutes = read_small(text, 0, 23, &day->tm_hour);

    text = minutes != NULL && *minutes == ':'
               ? read_seconds(read_part(minutes, ':', 0, 59, &day->tm_min), day)
               : minutes;
    if (text == NULL) {
        return NULL;
    }
    const char *half = pass_blanks(text);
    bool is_after = tolower((unsigned char)half[0]) == 'p';
    bool has_half = (is_after || tolower((unsigned char)half[0]) == 'a') &&
                    tolower((unsigned char)half[1]) == 'm';
    if (!has_half) {
        return *minutes == ':' ? text : NULL;
    }
    if (day->tm_hour < 1 || day->tm_hour > 12) {
        return NULL;
    }
    day->tm_hour = day->tm_hour % 12 + (is_after ? 12 : 0);
    return half + 2;
}

/* The day and the time of a text; NULL if they are not there. */
static const char *read_local(const char *text, struct tm *day)
{
    if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]) ||
        !isdigit((unsigned char)text[2])) {
        text = read_named_day(text, day);
        return text == NULL ? NULL : read_clock(text, day);
    }
    text = read_day(text, day);
    if (text == NULL || (*text != 'T' && *text != 't' && *text != ' ')) {
        return NULL;
    }
    text = *text == ' ' ? pass_blanks(text) : text + 1;
    text = read_digits(text, 2, 0, 23, &day->tm_hour);
    return read_seconds(read_part(text, ':', 0, 59, &day->tm_min), day);
}

/* The second of a local time in a zone that has a name. */
static bool convert_named(const char *name, struct tm day, int64_t *out_seconds)
{
    const char *before = getenv("TZ");
    char *kept = before == NULL ? NULL : strdup(before);

    setenv("TZ", name, 1);
    tzset();
    day.tm_isdst = -1;
    time_t seconds = mktime(&day);
    if (kept == NULL) {
        unsetenv("TZ");
    } else {
        setenv("TZ", kept, 1);
    }
    tzset();
    free(kept);
    *out_seconds = seconds;
    return seconds != (time_t)-1;
}

bool date_zone_read(const char *text, struct date_zone *out_zone)
{
    char path[PATH_MAX];
    struct stat file;
    int offset_s = 0;
    const char *end = read_zone(text, &offset_s);

    if (end != NULL && *end == '\0') {
        *out_zone = (struct date_zone){.offset_s = offset_s};
        return true;
    }
    bool is_name = isupper((unsigned char)text[0]) && strstr(text, "..") == NULL &&
                   strspn(text, zone_bytes) == strlen(text) &&
                   snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", text) < (int)sizeof path;
    if (!is_name || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return false;
    }
    *out_zone = (struct date_zone){.name = text};
    return true;
}

bool date_read_in(const char *text, const struct date_zone *zone, int64_t *out_seconds)
{
    struct tm day = {0};
    int offset_s = 0;

    text = read_local(pass_blanks(text), &day);
    if (text == NULL) {
        return false;
    }
    text = pass_blanks(text);
    bool has_zone = *text != '\0';
    text = has_zone ? read_zone(text, &offset_s) : text;
    if (text == NULL || *pass_blanks(text) != '\0' || (!has_zone && zone == NULL)) {
        return false;
    }
    int seconds = day.tm_sec; /* 60 would carry into the next day */
    day.tm_sec = 0;
    struct tm normal = day;
    int64_t minute_start = (int64_t)timegm(&normal);
    if (normal.tm_mday != day.tm_mday) {
        return false; /* the 30th of February */
    }
    if (!has_zone && zone->name != NULL) {
        if (!convert_named(zone->name, day, &minute_start)) {
            return false;
        }
    } else {
        minute_start -= has_zone ? offset_s : zone->offset_s;
    }
    *out_seconds = minute_start + seconds;
    return true;
}

bool date_read(const char *text, int64_t *out_seconds)
{
    return date_read_in(text, NULL, out_seconds);
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
