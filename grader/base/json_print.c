/* json_print.c: JSON as indented text; see json.h.
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

static void print_string(const char *string, struct text *out)
{
    size_t length = strlen(string);

    text_append_char(out, '"');
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
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

void json_print(const cJSON *value, struct text *out)
{
    const cJSON *parents[DEPTH_MAX];
    int depth = 0;

    while (value != NULL) {
        text_append_repeated(out, ' ', (size_t)depth * 2);
        if (depth > 0 && cJSON_IsObject(parents[depth - 1])) {
            print_string(value->string, out);
            text_append(out, ": ");
        }
        if (value->child != NULL) {
            text_append(out, cJSON_IsObject(value) ? "{\n" : "[\n");
            assert(depth < DEPTH_MAX);
            parents[depth++] = value;
            value = value->child;
            continue;
        }
        print_scalar(value, out);
        while (depth > 0 && value->next == NULL) {
            value = parents[--depth];
            text_append_char(out, '\n');
            text_append_repeated(out, ' ', (size_t)depth * 2);
            text_append_char(out, cJSON_IsObject(value) ? '}' : ']');
        }
        text_append(out, depth > 0 ? ",\n" : "\n");
        value = depth > 0 ? value->next : NULL;
    }
}

void json_add_number(cJSON *object, const char *key, double value)
{
    assert(isfinite(value));
    if (cJSON_AddNumberToObject(object, key, value) == NULL) {
        abort();
    }
}
