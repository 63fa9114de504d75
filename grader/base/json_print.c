/* json_print.c: JSON as text, indented or on one line; see json.h.
 *
 * Strings come out as well-formed UTF-8 whatever they hold: invalid bytes become U+FFFD; control
 * characters (C0, DEL, C1) and those that cannot be seen or reorder text are escaped, so a score
 * file can be shown on a terminal; so is the bracket of "##[", so that it can stand in a CI log.
 */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

/* \uNNNN, or two of them for a character beyond the first plane. */
static void print_escaped(uint32_t character, struct text *out)
{
    if (character < 0x10000) {
        text_printf(out, "\\u%04" PRIx32, character);
        return;
    }
    character -= 0x10000;
    text_printf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 + (character >> 10),
                0xDC00 + (character & 0x3FF));
}

/* Number of bytes that stand for themselves at the start of a string. */
static size_t plain_length(const char *string)
{
    size_t length = 0;

    while (string[length] >= ' ' && string[length] <= '~' &&
           strchr("\"\\[", string[length]) == NULL) {
        length++;
    }
    return length;
}

static void print_string(const char *string, struct text *out)
{
    size_t length = strlen(string);

    text_append_char(out, '"');
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        size_t plain = plain_length(string + i);
        if (plain > 0) {
            text_append_bytes(out, string + i, plain);
            i += plain;
            continue;
        }
        size_t step = text_character(string + i, length - i, &c);
        bool is_command = c == '[' && i >= 2 && string[i - 1] == '#' && string[i - 2] == '#';
        if (step == 0) {
            text_append(out, "\\ufffd");
            step = 1;
        } else if (c == '"' || c == '\\') {
            text_printf(out, "\\%c", (char)c);
        } else if (c == '\n') {
            text_append(out, "\\n");
        } else if (c == '\t') {
            text_append(out, "\\t");
        } else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || is_command || text_is_deceptive(c)) {
            print_escaped(c, out);
        } else {
            text_append_bytes(out, string + i, step);
        }
        i += step;
    }
    text_append_char(out, '"');
}

static void print_number(double value, struct text *out)
{
    char digits[32];

    assert(isfinite(value));
    if (value == trunc(value) && fabs(value) < 0x1p53) {
        text_printf(out, "%lld", (long long)value);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    text_append(out, digits);
}

static void print_scalar(const cJSON *value, struct text *out)
{
    if (cJSON_IsString(value)) {
        print_string(value->valuestring, out);
    } else if (cJSON_IsNumber(value)) {
        print_number(value->valuedouble, out);
    } else if (cJSON_IsBool(value)) {
        text_append(out, cJSON_IsTrue(value) ? "true" : "false");
    } else if (cJSON_IsArray(value)) {
        text_append(out, "[]");
    } else if (cJSON_IsObject(value)) {
        text_append(out, "{}");
    } else {
        text_append(out, "null");
    }
}

/* A line break and two blanks for each level; nothing in the short form. */
static void print_break(int depth, bool is_short, struct text *out)
{
    if (!is_short) {
        text_append_char(out, '\n');
        text_append_repeated(out, ' ', (size_t)depth * 2);
    }
}

static void print_tree(const cJSON *value, bool is_short, struct text *out)
{
    const cJSON *parents[DEPTH_MAX];
    int depth = 0;

    while (value != NULL) {
        if (depth > 0 && cJSON_IsObject(parents[depth - 1])) {
            print_string(value->string, out);
            text_append(out, is_short ? ":" : ": ");
        }
        if (value->child != NULL) {
            text_append_char(out, cJSON_IsObject(value) ? '{' : '[');
            assert(depth < DEPTH_MAX);
            parents[depth++] = value;
            value = value->child;
            print_break(depth, is_short, out);
            continue;
        }
        print_scalar(value, out);
        while (depth > 0 && value->next == NULL) {
            value = parents[--depth];
            print_break(depth, is_short, out);
            text_append_char(out, cJSON_IsObject(value) ? '}' : ']');
        }
        value = depth > 0 ? value->next : NULL;
        if (depth > 0) {
            text_append_char(out, ',');
            print_break(depth, is_short, out);
        }
    }
    text_append_char(out, '\n');
}

void json_print(const cJSON *value, struct text *out)
{
    print_tree(value, false, out);
}

void json_print_line(const cJSON *value, struct text *out)
{
    print_tree(value, true, out);
}

void json_add_number(cJSON *object, const char *key, double value)
{
    assert(isfinite(value));
    if (cJSON_AddNumberToObject(object, key, value) == NULL) {
        abort();
    }
}
