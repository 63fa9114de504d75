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

/* Length of the well-formed UTF-8 character at the start of the bytes; 0 if there is none.
 * The ranges are table 3-7 of the Unicode standard. */
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

/* Characters that reorder what stands around them (Unicode, "Bidirectional_Control"). */
static bool is_reordering(const unsigned char *s, size_t step)
{
    if (step == 2) {
        return s[0] == 0xD8 && s[1] == 0x9C; /* U+061C */
    }
    if (step != 3 || s[0] != 0xE2) {
        return false;
    }
    return (s[1] == 0x80 && (s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xAA && s[2] <= 0xAE))) ||
           (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9); /* U+200E, F, U+202A-E, U+2066-9 */
}

void text_append_printable(struct text *text, const char *bytes, size_t length, bool keep_lines)
{
    const unsigned char *s = (const unsigned char *)bytes;

    for (size_t i = 0; i < length;) {
        size_t step = utf8_character_length(s + i, length - i);
        bool c1 = step == 2 && s[i] == 0xC2 && s[i + 1] < 0xA0;
        bool kept = keep_lines && (s[i] == '\n' || s[i] == '\t');
        if (step == 0 || c1 || is_reordering(s + i, step) ||
            (step == 1 && (s[i] < 0x20 || s[i] == 0x7F) && !kept)) {
            text_printf(text, "\\x%02X", s[i]);
            i++;
        } else {
            text_append_bytes(text, bytes + i, step);
            i += step;
        }
    }
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
