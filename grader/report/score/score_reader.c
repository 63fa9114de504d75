/* score_reader.c: see score_reader.h. */
#include "report/score/score_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void score_fail(struct score_reader *reader, const cJSON *value, const char *format, ...)
{
    char message[sizeof reader->diagnostic->message];
    va_list arguments;

    if (reader->error != ERROR_NONE) {
        return;
    }
    reader->error = ERROR_SYNTAX;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_diagnostic(reader->document, value, false, reader->diagnostic, "%s", message);
}

bool score_skip(const struct score_reader *reader, const cJSON *value)
{
    return reader->error != ERROR_NONE || value == NULL;
}

static void fail_type(struct score_reader *reader, const cJSON *value, const char *expected)
{
    score_fail(reader, value, "%s%s%sexpected %s, found %s", value->string != NULL ? "'" : "",
               value->string != NULL ? value->string : "", value->string != NULL ? "': " : "",
               expected, json_type_words(value));
}

static const char *plain_key(const char *key)
{
    return key[0] == '?' ? key + 1 : key;
}

static void fail_unknown_key(struct score_reader *reader, const cJSON *member, const char *what)
{
    if (reader->error == ERROR_NONE) {
        reader->error = ERROR_SYNTAX;
        json_diagnostic(reader->document, member, true, reader->diagnostic,
                        "unknown key '%.100s' in %s of gpugrade/score/v1", member->string, what);
    }
}

void score_members(struct score_reader *reader, const cJSON *value, const char *what,
                   const char *const *keys, size_t count, const cJSON **out_members)
{
    memset(out_members, 0, count * sizeof out_members[0]);
    if (score_skip(reader, value)) {
        return;
    }
    if (!cJSON_IsObject(value)) {
        score_fail(reader, value, "%s must be an object, found %s", what, json_type_words(value));
        return;
    }
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        size_t i = 0;
        while (i < count && strcmp(plain_key(keys[i]), member->string) != 0) {
            i++;
        }
        if (i == count) {
            fail_unknown_key(reader, member, what);
            return;
        }
        out_members[i] = member;
    }
    for (size_t i = 0; i < count; i++) {
        if (keys[i][0] != '?' && out_members[i] == NULL) {
            score_fail(reader, value, "%s lacks the key '%s'", what, keys[i]);
        }
    }
}

const char *score_text(struct score_reader *reader, const cJSON *value)
{
    if (score_skip(reader, value)) {
        return "";
    }
    if (!cJSON_IsString(value)) {
        fail_type(reader, value, "a string");
        return "";
    }
    return arena_strdup(reader->arena, value->valuestring);
}

const char *score_words(struct score_reader *reader, const cJSON *value)
{
    const char *text = score_text(reader, value);

    if (!score_skip(reader, value) && text[0] == '\0') {
        score_fail(reader, value, "expected text, found an empty string");
    }
    return text;
}

const char *score_name(struct score_reader *reader, const cJSON *value, const char *allowed,
                       size_t minimum, size_t maximum, const char *what)
{
    const char *text = score_text(reader, value);
    size_t length = strlen(text);

    if (!score_skip(reader, value) &&
        (length < minimum || length > maximum || strspn(text, allowed) != length)) {
        score_fail(reader, value, "expected %s, found '%.100s'", what, text);
        return "";
    }
    return text;
}

double score_number(struct score_reader *reader, const cJSON *value, double minimum, double maximum)
{
    if (score_skip(reader, value)) {
        return 0;
    }
    if (!cJSON_IsNumber(value)) {
        fail_type(reader, value, "a number");
        return 0;
    }
    if (!(value->valuedouble >= minimum && value->valuedouble <= maximum)) {
        score_fail(reader, value, "expected %.12g to %.12g, found %.12g", minimum, maximum,
                   value->valuedouble);
        return 0;
    }
    return value->valuedouble;
}

int64_t score_integer(struct score_reader *reader, const cJSON *value, int64_t minimum,
                      int64_t maximum)
{
    double number = score_number(reader, value, (double)minimum, (double)maximum);

    if (number != trunc(number)) {
        score_fail(reader, value, "expected a whole number, found %.12g", number);
        return 0;
    }
    return (int64_t)number;
}

int score_line(struct score_reader *reader, const cJSON *value)
{
    return (int)score_integer(reader, value, 0, SCORE_LINE_MAX);
}

bool score_flag(struct score_reader *reader, const cJSON *value)
{
    if (score_skip(reader, value)) {
        return false;
    }
    if (!cJSON_IsBool(value)) {
        fail_type(reader, value, "true or false");
        return false;
    }
    return cJSON_IsTrue(value);
}

size_t score_word(struct score_reader *reader, const cJSON *value, const char *(*word)(size_t),
                  size_t count, const char *what)
{
    const char *text = score_text(reader, value);

    if (score_skip(reader, value)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word(i), text) == 0) {
            return i;
        }
    }
    score_fail(reader, value, "'%.100s' is not a %s that this version knows", text, what);
    return 0;
}

size_t score_list(struct score_reader *reader, const cJSON *value, size_t maximum)
{
    size_t count = 0;

    if (score_skip(reader, value)) {
        return 0;
    }
    if (!cJSON_IsArray(value)) {
        fail_type(reader, value, "an array");
        return 0;
    }
    for (const cJSON *item = value->child; item != NULL; item = item->next) {
        count++;
    }
    if (count > maximum) {
        score_fail(reader, value, "expected at most %zu entries, found %zu", maximum, count);
        return 0;
    }
    return count;
}

static const char *severity_word(size_t index)
{
    return index == SEVERITY_ERROR ? "error" : "warning";
}

enum severity score_severity(struct score_reader *reader, const cJSON *value)
{
    return (enum severity)score_word(reader, value, severity_word, 2, "severity");
}

static const char *code_word(size_t index)
{
    return code_name((enum code)index);
}

enum code score_code(struct score_reader *reader, const cJSON *value)
{
    return (enum code)score_word(reader, value, code_word, CODE_COUNT, "code");
}

void score_check_kind(struct score_reader *reader, const cJSON *value, enum code code)
{
    const char *kind = score_text(reader, value);

    if (!score_skip(reader, value) &&
        (code == CODE_NONE || strcmp(kind, cause_name(code_cause(code))) != 0)) {
        score_fail(reader, value, "the code '%s' has the kind '%s', found '%.100s'",
                   code_name(code), cause_name(code_cause(code)), kind);
    }
}
