/* json_schema_words.c: values and expectations in the words of a message; see json_schema_parts.h.
 */
#include "base/json_schema_parts.h"

#include <math.h>
#include <string.h>

enum { SHOWN_BYTES_MAX = 60, SHOWN_CHOICES_MAX = 12 };

unsigned schema_type_of(const cJSON *value)
{
    if (cJSON_IsString(value)) {
        return TYPE_STRING;
    }
    if (cJSON_IsNumber(value)) {
        double number = value->valuedouble;
        return number == trunc(number) ? TYPE_NUMBER | TYPE_INTEGER : TYPE_NUMBER;
    }
    if (cJSON_IsBool(value)) {
        return TYPE_BOOLEAN;
    }
    if (cJSON_IsArray(value)) {
        return TYPE_ARRAY;
    }
    return cJSON_IsObject(value) ? TYPE_OBJECT : TYPE_NULL;
}

void schema_say_types(unsigned types, struct text *out)
{
    static const struct {
        unsigned type;
        const char *words;
    } known[] = {
        {TYPE_STRING, "a string"},
        {TYPE_NUMBER, "a number"},
        {TYPE_INTEGER, "a whole number"},
        {TYPE_BOOLEAN, "a truth value"},
        {TYPE_OBJECT, "an object"},
        {TYPE_ARRAY, "an array"},
        {TYPE_NULL, "null"},
    };
    unsigned left = (types & TYPE_NUMBER) != 0 ? types & ~(unsigned)TYPE_INTEGER : types;
    bool is_first = true;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if ((left & known[i].type) == 0) {
            continue;
        }
        left &= ~known[i].type;
        text_append(out, is_first ? "" : left == 0 ? " or " : ", ");
        text_append(out, known[i].words);
        is_first = false;
    }
}

/* As many whole characters as there is room for. */
static size_t shown_length(const char *string, bool *out_is_cut)
{
    size_t length = strlen(string);

    *out_is_cut = length > SHOWN_BYTES_MAX;
    if (*out_is_cut) {
        length = SHOWN_BYTES_MAX;
        while (length > 0 && ((unsigned char)string[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    return length;
}

void schema_say_source(const cJSON *value, struct text *out)
{
    struct text line;
    bool is_cut;

    text_init(&line);
    json_print_line(value, &line);
    line.bytes[--line.length] = '\0'; /* the newline */
    text_append_bytes(out, line.bytes, shown_length(line.bytes, &is_cut));
    text_append(out, is_cut ? "..." : "");
    text_release(&line);
}

void schema_say_name(const char *name, struct text *out)
{
    bool is_cut;
    size_t length = shown_length(name, &is_cut);

    text_append_char(out, '\'');
    text_append_bytes(out, name, length);
    text_append(out, is_cut ? "...'" : "'");
}

void schema_say_value(const cJSON *value, struct text *out)
{
    bool is_cut;

    if (cJSON_IsString(value)) {
        size_t length = shown_length(value->valuestring, &is_cut);
        text_append_char(out, '"');
        text_append_bytes(out, value->valuestring, length);
        text_append(out, is_cut ? "...\"" : "\"");
    } else if (cJSON_IsNumber(value)) {
        text_printf(out, "%.15g", value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        text_append(out, cJSON_IsTrue(value) ? "true" : "false");
    } else if (cJSON_IsArray(value)) {
        text_append(out, value->child == NULL ? "an empty array" : "an array");
    } else if (cJSON_IsObject(value)) {
        text_append(out, value->child == NULL ? "an empty object" : "an object");
    } else {
        text_append(out, "null");
    }
}

void schema_say_choices(const cJSON *choices, struct text *out)
{
    int count = cJSON_GetArraySize(choices);
    int index = 0;

    for (const cJSON *choice = choices->child; choice != NULL; choice = choice->next, index++) {
        if (index == SHOWN_CHOICES_MAX && count > SHOWN_CHOICES_MAX + 1) {
            text_printf(out, " or one of %d others", count - index);
            return;
        }
        text_append(out, index == 0 ? "" : index == count - 1 ? " or " : ", ");
        schema_say_value(choice, out);
    }
}
