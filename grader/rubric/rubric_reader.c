/* rubric_reader.c: see rubric_reader.h. */
#include "rubric/rubric_reader.h"

#include "model/measure.h"
#include "rubric/rubric_overlay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define LARGE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT "0123456789"

/* What each kind of name looks like; no characters means anything printable. */
static const struct {
    const char *what;
    const char *first;
    const char *rest;
    size_t length_max;
} name_kinds[] = {
    [NAME_ID] = {"an id (a letter, then letters, digits, '.', '-' and '_')", SMALL LARGE,
                 SMALL LARGE DIGIT "._-", 40},
    [NAME_COURSEWORK] =
        {"the id of a coursework (a lowercase letter, then lowercase letters, digits and '_')",
         SMALL, SMALL DIGIT "_", 40},
    [NAME_IDENTIFIER] = {"a C identifier", SMALL LARGE "_", SMALL LARGE DIGIT "_", 100},
    [NAME_KERNEL] = {"the name of a kernel without template and call arguments", SMALL LARGE "_",
                     SMALL LARGE DIGIT "_:", 200},
    [NAME_PATTERN] = {"the name of a kernel without template and call arguments, or a pattern with "
                      "'*' for anything",
                      SMALL LARGE "_*", SMALL LARGE DIGIT "_:*", 200},
    [NAME_FILE] = {"a plain file name (letters, digits, '.', '-' and '_', no folder)",
                   SMALL LARGE DIGIT "_", SMALL LARGE DIGIT "._-", 100},
    [NAME_FLAG] = {"a compiler option that starts with '-'", "-", NULL, 200},
    [NAME_TEXT] = {"a text of 1 to 200 bytes without control characters", NULL, NULL, 200},
    [NAME_LINE] = {"a line of at most 1000 bytes without control characters", NULL, NULL, 1000},
};

/* The file of a chain that a value was read from. */
static const struct json_document *document_of(const struct rubric_reader *reader,
                                               const cJSON *value)
{
    const struct rubric_chain *chain = reader->chain;
    size_t i = 0;

    while (i + 1 < chain->count && !json_holds(chain->files[i].document, value)) {
        i++;
    }
    return chain->files[i].document;
}

void reader_fail(struct rubric_reader *reader, enum error error, const cJSON *value, bool at_key,
                 const char *format, ...)
{
    char message[sizeof reader->diagnostic->message];
    va_list arguments;

    if (reader->error != ERROR_NONE) {
        return;
    }
    reader->error = error;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (reader->entry != NULL && document_of(reader, value) != document_of(reader, reader->entry)) {
        value = reader->entry;
        at_key = false;
    }
    json_diagnostic(document_of(reader, value), value, at_key, reader->diagnostic, "%s", message);
}

static void fail_type(struct rubric_reader *reader, const cJSON *value, const char *expected)
{
    if (value->string != NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false, "'%s' must be %s, found %s", value->string,
                    expected, json_type_words(value));
    } else {
        reader_fail(reader, ERROR_SYNTAX, value, false, "expected %s, found %s", expected,
                    json_type_words(value));
    }
}

/* True if there is nothing to read: an earlier mistake, or an absent optional value. */
static bool skip(const struct rubric_reader *reader, const cJSON *value)
{
    return reader->error != ERROR_NONE || value == NULL;
}

void reader_fail_unknown_key(struct rubric_reader *reader, const cJSON *member, const char *what,
                             const struct rubric_key *keys, size_t count)
{
    struct text known;

    text_init(&known);
    for (size_t i = 0; i < count; i++) {
        text_printf(&known, "%s%s", i == 0 ? "" : ", ", keys[i].name);
    }
    reader_fail(reader, ERROR_SYNTAX, member, true, "unknown key '%s' in %s; known keys: %s",
                member->string, what, known.bytes);
    text_release(&known);
}

void read_members(struct rubric_reader *reader, const cJSON *value, const char *what,
                  const struct rubric_key *keys, size_t count, const cJSON **out_members)
{
    memset(out_members, 0, count * sizeof out_members[0]);
    if (skip(reader, value)) {
        return;
    }
    if (!cJSON_IsObject(value)) {
        reader_fail(reader, ERROR_SYNTAX, value, false, "%s must be an object, found %s", what,
                    json_type_words(value));
        return;
    }
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        size_t i = 0;
        while (i < count && strcmp(keys[i].name, member->string) != 0) {
            i++;
        }
        if (i == count) {
            reader_fail_unknown_key(reader, member, what, keys, count);
            return;
        }
        out_members[i] = member;
    }
    for (size_t i = 0; i < count; i++) {
        if (keys[i].required && out_members[i] == NULL) {
            reader_fail(reader, ERROR_SYNTAX, value, false, "%s lacks the key '%s'", what,
                        keys[i].name);
        }
    }
}

static bool is_name(const char *string, enum name_kind kind)
{
    size_t length = strlen(string);
    const char *first = name_kinds[kind].first;
    const char *rest = name_kinds[kind].rest;

    if (length == 0) {
        return kind == NAME_LINE;
    }
    for (size_t i = 0; i < length; i++) {
        bool is_kept = kind == NAME_LINE && string[i] == '\t';
        if (((unsigned char)string[i] < 0x20 && !is_kept) || string[i] == 0x7F) {
            return false;
        }
    }
    return (first == NULL || strchr(first, string[0]) != NULL) &&
           (rest == NULL || strspn(string + 1, rest) == length - 1);
}

/* Takes the text of a value, or of its key. */
static const char *take_name(struct rubric_reader *reader, const cJSON *value, bool at_key,
                             enum name_kind kind)
{
    const char *name = at_key ? value->string : value->valuestring;
    const size_t length = strlen(name);

    if (length > name_kinds[kind].length_max) {
        reader_fail(reader, ERROR_RANGE, value, at_key,
                    "expected at most %zu characters, found %zu in '%.100s'",
                    name_kinds[kind].length_max, length, name);
        return "";
    }
    if (!is_name(name, kind)) {
        reader_fail(reader, ERROR_RANGE, value, at_key, "expected %s, found '%.100s'",
                    name_kinds[kind].what, name);
        return "";
    }
    return arena_strdup(reader->arena, name);
}

const char *read_name(struct rubric_reader *reader, const cJSON *value, enum name_kind kind)
{
    if (skip(reader, value)) {
        return "";
    }
    if (!cJSON_IsString(value)) {
        fail_type(reader, value, "a string");
        return "";
    }
    return take_name(reader, value, false, kind);
}

const char *read_key(struct rubric_reader *reader, const cJSON *member, enum name_kind kind)
{
    return skip(reader, member) ? "" : take_name(reader, member, true, kind);
}

double read_number(struct rubric_reader *reader, const cJSON *value, double minimum, double maximum)
{
    if (skip(reader, value)) {
        return 0;
    }
    if (!cJSON_IsNumber(value)) {
        fail_type(reader, value, "a number");
        return 0;
    }
    if (!(value->valuedouble >= minimum && value->valuedouble <= maximum)) {
        reader_fail(reader, ERROR_RANGE, value, false, "expected %.12g to %.12g, found %.12g",
                    minimum, maximum, value->valuedouble);
        return 0;
    }
    return value->valuedouble;
}

int64_t read_integer(struct rubric_reader *reader, const cJSON *value, int64_t minimum,
                     int64_t maximum)
{
    double number = read_number(reader, value, (double)minimum, (double)maximum);

    if (number != trunc(number)) {
        reader_fail(reader, ERROR_RANGE, value, false, "expected a whole number, found %.12g",
                    number);
        return 0;
    }
    return (int64_t)number;
}

bool read_flag(struct rubric_reader *reader, const cJSON *value)
{
    if (skip(reader, value)) {
        return false;
    }
    if (!cJSON_IsBool(value)) {
        fail_type(reader, value, "true or false");
        return false;
    }
    return cJSON_IsTrue(value);
}

size_t read_word(struct rubric_reader *reader, const cJSON *value, const char *const *words,
                 size_t count)
{
    struct text known;

    if (skip(reader, value)) {
        return 0;
    }
    if (!cJSON_IsString(value)) {
        fail_type(reader, value, "a string");
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], value->valuestring) == 0) {
            return i;
        }
    }
    text_init(&known);
    for (size_t i = 0; i < count; i++) {
        text_printf(&known, "%s'%s'", i == 0 ? "" : ", ", words[i]);
    }
    reader_fail(reader, ERROR_RANGE, value, false, "expected one of %s, found '%.100s'",
                known.bytes, value->valuestring);
    text_release(&known);
    return 0;
}

size_t read_list(struct rubric_reader *reader, const cJSON *value, size_t minimum, size_t maximum)
{
    size_t count = 0;

    if (skip(reader, value)) {
        return 0;
    }
    if (!cJSON_IsArray(value)) {
        fail_type(reader, value, "an array");
        return 0;
    }
    for (const cJSON *item = value->child; item != NULL; item = item->next) {
        count++;
    }
    if (count < minimum || count > maximum) {
        reader_fail(reader, ERROR_RANGE, value, false, "expected %zu to %zu entries, found %zu",
                    minimum, maximum, count);
        return 0;
    }
    return count;
}

const char *const *read_names(struct rubric_reader *reader, const cJSON *value, enum name_kind kind,
                              size_t minimum, size_t *out_count)
{
    size_t count = read_list(reader, value, minimum, 64);
    const char **names = arena_array(reader->arena, count, sizeof *names);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++) {
        names[i] = read_name(reader, item, kind);
        item = item->next;
    }
    *out_count = count;
    return names;
}

struct name_check {
    const struct rubric_reader *reader;
    unsigned allowed;
    const char *unknown;
};

/* Names that are no parameters, and the groups that they belong to. */
static const struct {
    const char *name;
    unsigned groups;
} fixed_names[] = {
    {"block", NAMES_BLOCK},           {"threads", NAMES_THREADS},
    {"max_blocks", NAMES_OCCUPANCY},  {"active_blocks", NAMES_OCCUPANCY},
    {"max_threads", NAMES_OCCUPANCY}, {"multiprocessors", NAMES_OCCUPANCY | NAMES_MULTIPROCESSORS},
    {"reference", NAMES_REFERENCE},
};

enum { FIXED_NAME_COUNT = sizeof fixed_names / sizeof fixed_names[0] };

static bool is_allowed(const struct name_check *check, const char *name)
{
    for (size_t i = 0; i < FIXED_NAME_COUNT; i++) {
        if ((check->allowed & fixed_names[i].groups) != 0 &&
            strcmp(fixed_names[i].name, name) == 0) {
            return true;
        }
    }
    struct measure measure;
    if ((check->allowed & NAMES_MEASURES) != 0 &&
        measure_find(check->reader->measured, name, &measure)) {
        return true;
    }
    const struct rubric *rubric = check->reader->rubric;
    size_t count = (check->allowed & NAMES_PARAMETERS) != 0 ? rubric->parameter_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rubric->parameters[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void fail_unknown_name(struct rubric_reader *reader, const cJSON *value,
                              const struct name_check *check)
{
    struct text known;

    text_init(&known);
    for (size_t i = 0; i < FIXED_NAME_COUNT; i++) {
        if ((check->allowed & fixed_names[i].groups) != 0) {
            text_printf(&known, "%s%s", known.length > 0 ? ", " : "", fixed_names[i].name);
        }
    }
    if ((check->allowed & NAMES_PARAMETERS) != 0) {
        text_printf(&known, "%sthe parameters", known.length > 0 ? " and " : "");
    }
    if ((check->allowed & NAMES_MEASURES) != 0) {
        text_append(&known, "; of measures see docs/rubrics.md, \"What may be counted\"");
    }
    reader_fail(reader, ERROR_RANGE, value, false, "unknown name '%.100s'; known names: %s",
                check->unknown, known.bytes);
    text_release(&known);
}

static void visit_name(void *context, const char *name)
{
    struct name_check *check = context;

    if (check->unknown == NULL && !is_allowed(check, name)) {
        check->unknown = name;
    }
}

static const struct expression *read_either(struct rubric_reader *reader, const cJSON *value,
                                            unsigned names, bool is_condition)
{
    struct name_check check = {.reader = reader, .allowed = names};
    const struct expression *expression = NULL;
    struct diagnostic mistake = {0};
    size_t offset = 0;

    if (skip(reader, value)) {
        return NULL;
    }
    if (!cJSON_IsString(value)) {
        fail_type(reader, value, "an expression in double quotes");
        return NULL;
    }
    enum error error =
        expression_parse(reader->arena, value->valuestring, &expression, &offset, &mistake);
    if (error != ERROR_NONE) {
        reader_fail(reader, ERROR_SYNTAX, value, false, "%s", mistake.message);
        if (reader->diagnostic != NULL) {
            reader->diagnostic->column += 1 + (int)offset; /* after the quote */
        }
        return NULL;
    }
    expression_names(expression, visit_name, &check);
    if (check.unknown != NULL) {
        fail_unknown_name(reader, value, &check);
        return NULL;
    }
    if (expression_is_condition(expression) != is_condition) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    is_condition ? "'%.100s' is a number, expected a condition, such as n >= 1024"
                                 : "'%.100s' is a condition, expected a number",
                    value->valuestring);
    }
    return expression;
}

const struct expression *read_expression(struct rubric_reader *reader, const cJSON *value,
                                         unsigned names)
{
    return read_either(reader, value, names, false);
}

const struct expression *read_condition(struct rubric_reader *reader, const cJSON *value,
                                        unsigned names)
{
    return read_either(reader, value, names, true);
}

static const char *id_of(const void *items, size_t stride, size_t index)
{
    const char *id;

    memcpy(&id, (const char *)items + index * stride, sizeof id);
    return id;
}

size_t read_reference(struct rubric_reader *reader, const cJSON *value, const char *what,
                      const void *items, size_t stride, size_t count)
{
    const char *id = read_name(reader, value, NAME_TEXT);

    if (skip(reader, value)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(id_of(items, stride, i), id) == 0) {
            return i;
        }
    }
    reader_fail(reader, ERROR_RANGE, value, false, "there is no %s '%s'", what, id);
    return 0;
}

void reader_check_unique(struct rubric_reader *reader, const cJSON *value, const char *what,
                         const void *items, size_t stride, size_t count)
{
    for (size_t i = 0; !skip(reader, value) && i < count; i++) {
        if (strcmp(id_of(items, stride, i), id_of(items, stride, count)) == 0) {
            reader_fail(reader, ERROR_RANGE, value, false, "there is already a %s '%s'", what,
                        id_of(items, stride, i));
        }
    }
}

size_t reader_hidden_last(struct rubric_reader *reader, void *items, size_t stride, size_t count,
                          size_t hidden_offset)
{
    char *from = items;
    char *sorted = arena_array(reader->arena, count, stride);
    size_t placed = 0, hidden_count = 0;

    for (int hidden = 0; hidden < 2; hidden++) {
        for (size_t i = 0; i < count; i++) {
            bool is_hidden;
            memcpy(&is_hidden, from + i * stride + hidden_offset, sizeof is_hidden);
            if (is_hidden == (hidden == 1)) {
                memcpy(sorted + placed++ * stride, from + i * stride, stride);
                hidden_count += is_hidden ? 1 : 0;
            }
        }
    }
    memcpy(items, sorted, count * stride);
    return hidden_count;
}

void check_braces(struct rubric_reader *reader, const cJSON *value, const char *text,
                  braces_value check, void *context)
{
    if (reader->error == ERROR_NONE && braces_fill(reader->arena, text, check, context) == NULL &&
        reader->error == ERROR_NONE) {
        reader_fail(reader, ERROR_RANGE, value, false, "a brace opens in '%s' and is not closed",
                    text);
    }
}
