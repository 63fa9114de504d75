/* text.c: see text.h. */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char empty_string[1];

void text_init(struct text *text)
{
    text->bytes = empty_string;
    text->length = 0;
    text->capacity = 0;
}

void text_release(struct text *text)
{
    if (text == NULL) {
        return;
    }
    if (text->capacity > 0) {
        free(text->bytes);
    }
    text_init(text);
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->capacity > 0) {
        text->bytes[0] = '\0';
    }
}

static void text_reserve(struct text *text, size_t extra)
{
    size_t needed;

    if (__builtin_add_overflow(text->length, extra, &needed) || needed >= SIZE_MAX / 2) {
        abort();
    }
    needed++;
    if (needed <= text->capacity) {
        return;
    }
    size_t capacity = text->capacity < 64 ? 64 : text->capacity * 2;
    if (capacity < needed) {
        capacity = needed;
    }
    char *bytes = realloc(text->capacity > 0 ? text->bytes : NULL, capacity);
    if (bytes == NULL) {
        abort();
    }
    text->bytes = bytes;
    text->capacity = capacity;
    text->bytes[text->length] = '\0';
}

void text_append_bytes(struct text *text, const void *bytes, size_t length)
{
    if (length == 0) {
        return;
    }
    text_reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_append(struct text *text, const char *string)
{
    text_append_bytes(text, string, strlen(string));
}

void text_append_char(struct text *text, char c)
{
    text_append_bytes(text, &c, 1);
}

void text_append_repeated(struct text *text, char c, size_t count)
{
    if (count == 0) {
        return;
    }
    text_reserve(text, count);
    memset(text->bytes + text->length, c, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        abort();
    }
    text_reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

/* As text_character(); the ranges are table 3-7 of the Unicode standard. */
static size_t utf8_character_length(const unsigned char *s, size_t length)
{
    if (s[0] < 0x80) {
        return 1;
    }
    if (s[0] >= 0xC2 && s[0] <= 0xDF && length >= 2) {
        return (s[1] & 0xC0) == 0x80 ? 2 : 0;
    }
    if (s[0] >= 0xE0 && s[0] <= 0xEF && length >= 3) {
        unsigned char low = s[0] == 0xE0 ? 0xA0 : 0x80;
        unsigned char high = s[0] == 0xED ? 0x9F : 0xBF;
        return s[1] >= low && s[1] <= high && (s[2] & 0xC0) == 0x80 ? 3 : 0;
    }
    if (s[0] >= 0xF0 && s[0] <= 0xF4 && length >= 4) {
        unsigned char low = s[0] == 0xF0 ? 0x90 : 0x80;
        unsigned char high = s[0] == 0xF4 ? 0x8F : 0xBF;
        bool tail = (s[2] & 0xC0) == 0x80 && (s[3] & 0xC0) == 0x80;
        return s[1] >= low && s[1] <= high && tail ? 4 : 0;
    }
    return 0;
}

size_t text_character(const char *bytes, size_t length, uint32_t *out_character)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t step = length == 0 ? 0 : utf8_character_length(s, length);

    if (step == 0) {
        return 0;
    }
    *out_character = step == 1 ? s[0] : s[0] & (0xFFU >> (step + 1));
    for (size_t i = 1; i < step; i++) {
        *out_character = (*out_character << 6) | (s[i] & 0x3FU);
    }
    return step;
}

bool text_is_utf8(const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;

    for (size_t i = 0; i < length;) {
        size_t step = utf8_character_length(s + i, length - i);
        if (step == 0 || s[i] == 0) {
            return false;
        }
        i += step;
    }
    return true;
}

/* A range of characters. */
struct range {
    uint32_t first, last;
};

static bool is_among(uint32_t character, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

bool text_is_deceptive(uint32_t character)
{
    /* Default_Ignorable_Code_Point without variation selectors, Bidi_Control, Zl, Zp, and the
     * interlinear marks. */
    static const struct range ranges[] = {
        {0x00AD, 0x00AD},   {0x034F, 0x034F}, {0x061C, 0x061C},   {0x115F, 0x1160},
        {0x17B4, 0x17B5},   {0x180E, 0x180E}, {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F},   {0x3164, 0x3164}, {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
        {0xE0000, 0xE0FFF},
    };

    return (character & 0xFFFE) == 0xFFFE ||
           is_among(character, ranges, sizeof ranges / sizeof ranges[0]);
}

static bool is_combining(uint32_t character)
{
    static const struct range ranges[] = {
        {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F}, {0x0E34, 0x0E3A},
        {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};

    return is_among(character, ranges, sizeof ranges / sizeof ranges[0]);
}

static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

/* Number of bytes at the start that are harmless wherever they stand. */
static size_t plain_length(const char *bytes, size_t length)
{
    size_t plain = 0;

    while (plain < length && bytes[plain] >= ' ' && bytes[plain] <= '~' && bytes[plain] != '[') {
        plain++;
    }
    return plain;
}

size_t text_command_start(const char *bytes, size_t length)
{
    size_t at = 0;

    while (at < length &&
           (bytes[at] == ' ' || bytes[at] == '\t' || (unsigned char)bytes[at] >= 0x80)) {
        at++;
    }
    bool is_command = at + 1 < length && bytes[at] == ':' &&
                      (bytes[at + 1] == ':' || (unsigned char)bytes[at + 1] >= 0x80);
    return is_command ? at : length;
}

void text_append_printable(struct text *text, const char *bytes, size_t length, bool keep_lines)
{
    enum { COMBINING_MAX = 4 };
    size_t combining = 0;
    size_t colon = length; /* the one that would make a command of a line */

    for (size_t i = 0; i < length;) {
        uint32_t character = 0;
        if (i == colon) {
            text_append(text, "\\x3A");
            colon = length;
            i++;
            continue;
        }
        size_t plain = plain_length(bytes + i, colon - i);
        if (plain > 0) {
            text_append_bytes(text, bytes + i, plain);
            combining = 0;
            i += plain;
            continue;
        }
        size_t step = text_character(bytes + i, length - i, &character);
        bool is_line = keep_lines && (character == '\n' || character == '\t');
        bool is_command = character == '[' && i >= 2 && bytes[i - 1] == '#' && bytes[i - 2] == '#';
        combining = is_combining(character) ? combining + 1 : 0;
        if (step > 0 && !is_command && combining <= COMBINING_MAX &&
            (is_line || (!is_control(character) && !text_is_deceptive(character)))) {
            text_append_bytes(text, bytes + i, step);
            i += step;
            colon = character == '\n' ? i + text_command_start(bytes + i, length - i) : colon;
            continue;
        }
        for (size_t end = i + (step > 0 ? step : 1); i < end; i++) {
            text_printf(text, "\\x%02X", (unsigned char)bytes[i]);
        }
    }
}

const char *text_or_empty(const char *string)
{
    return string == NULL ? "" : string;
}

bool text_starts_with(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *string, const char *suffix)
{
    size_t length = strlen(string);
    size_t suffix_length = strlen(suffix);

    return length >= suffix_length && strcmp(string + length - suffix_length, suffix) == 0;
}

bool text_to_integer(const char *string, long long minimum, long long maximum, long long *out)
{
    char *end = NULL;

    if (string[0] != '-' && (string[0] < '0' || string[0] > '9')) {
        return false;
    }
    errno = 0;
    long long value = strtoll(string, &end, 10);
    if (errno != 0 || end == string || *end != '\0' || value < minimum || value > maximum) {
        return false;
    }
    *out = value;
    return true;
}
