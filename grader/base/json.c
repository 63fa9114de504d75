/* json.c: a strict scanner in front of cJSON; see json.h.
 *
 *   text --scan--> positions, in the order in which values begin
 *        --cJSON-> values, walked in the same order
 *        --------> places[]: value -> line and column, sorted by address
 *
 * The scanner accepts exactly RFC 8259, minus what cannot be held as a C string or a double (NUL,
 * numbers out of range), so after it cJSON finds nothing to refuse; its messages are better, and
 * it knows where every value stands. Neither pass recurses: nesting is at most DEPTH_MAX.
 */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 64,
    NUMBER_LENGTH_MAX = 60, /* cJSON copies a number into 64 bytes */
};

struct position {
    int line, column;         /* of the value */
    int key_line, key_column; /* of its key; 0 if it has none */
};

struct place {
    const cJSON *value;
    struct position position;
};

struct json_document {
    cJSON *root;
    struct place *places; /* [place_count], sorted by address */
    size_t place_count;
    enum blame blame;
    char file[256];
};

struct scanner {
    const char *bytes;
    size_t length;
    size_t at;
    int line;
    size_t line_start;
    const char *file;
    enum blame blame;
    struct diagnostic *diagnostic;
    struct position *positions; /* [count] in the order in which values begin */
    size_t count, capacity;
    char closers[DEPTH_MAX]; /* '}' or ']' of each open container */
    int depth;
    struct position pending; /* the key that was read for the next value */
};

static bool at_end(const struct scanner *s)
{
    return s->at >= s->length;
}

/* The next byte; 0 at the end (NUL bytes are refused before the scan begins). */
static char peek(const struct scanner *s)
{
    return at_end(s) ? '\0' : s->bytes[s->at];
}

static int column_of(const struct scanner *s, size_t offset)
{
    return (int)(offset - s->line_start) + 1;
}

static bool fail_at(struct scanner *s, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(struct scanner *s, size_t offset, const char *format, ...)
{
    char message[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diagnostic_set_at(s->diagnostic, s->blame, s->file, s->line, column_of(s, offset), "%s",
                      message);
    return false;
}

static bool fail_expected(struct scanner *s, const char *expected)
{
    unsigned char c = (unsigned char)peek(s);

    if (at_end(s)) {
        return fail_at(s, s->at, "expected %s and found the end of the text", expected);
    }
    if (c == '\n' || c == '\r') {
        return fail_at(s, s->at, "expected %s and found the end of the line", expected);
    }
    if (c < 0x20 || c >= 0x7F) {
        return fail_at(s, s->at, "expected %s and found the byte 0x%02X", expected, c);
    }
    return fail_at(s, s->at, "expected %s and found '%c'", expected, c);
}

static void skip_blanks(struct scanner *s)
{
    for (; !at_end(s); s->at++) {
        char c = peek(s);
        if (c == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

/* Four hexadecimal digits of \uNNNN; -1 if they are not there. */
static int hex_digits(const struct scanner *s, size_t offset)
{
    int value = 0;

    if (s->length - offset < 4) {
        return -1;
    }
    for (size_t i = 0; i < 4; i++) {
        char c = s->bytes[offset + i];
        if (c >= '0' && c <= '9') {
            value = value * 16 + (c - '0');
        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            value = value * 16 + ((c | 0x20) - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

/* escape = "\" ( one of "\/bfnrt and the quote | "u" 4 digits ), surrogates only in pairs */
static bool scan_escape(struct scanner *s)
{
    size_t start = s->at++;
    char c = peek(s);

    if (c != 'u') {
        if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
            return fail_at(s, start, "unknown escape in a string; write a backslash as \\\\");
        }
        s->at++;
        return true;
    }
    int unit = hex_digits(s, s->at + 1);
    if (unit < 0) {
        return fail_at(s, start, "expected four hexadecimal digits after \\u");
    }
    if (unit == 0) {
        return fail_at(s, start, "a string may not contain the character NUL");
    }
    s->at += 5;
    if (unit >= 0xD800 && unit <= 0xDBFF && s->length - s->at >= 6 && s->bytes[s->at] == '\\' &&
        s->bytes[s->at + 1] == 'u') {
        int low = hex_digits(s, s->at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            s->at += 6;
            return true;
        }
    }
    if (unit >= 0xD800 && unit <= 0xDFFF) {
        return fail_at(s, start, "half of a surrogate pair in a string");
    }
    return true;
}

/* string = quote { character | escape } quote; control characters must be escaped */
static bool scan_string(struct scanner *s)
{
    size_t start = s->at++;

    while (peek(s) != '"') {
        if (at_end(s) || peek(s) == '\n' || peek(s) == '\r') {
            return fail_at(s, start, "the string that starts here is not closed on its line");
        }
        if ((unsigned char)peek(s) < 0x20) {
            return fail_at(s, s->at, "control character 0x%02X in a string; write it as \\u%04x",
                           (unsigned)peek(s), (unsigned)peek(s));
        }
        if (peek(s) != '\\') {
            s->at++;
        } else if (!scan_escape(s)) {
            return false;
        }
    }
    s->at++;
    return true;
}

static bool scan_digits(struct scanner *s)
{
    size_t start = s->at;

    while (peek(s) >= '0' && peek(s) <= '9') {
        s->at++;
    }
    return s->at > start || fail_expected(s, "a digit");
}

/* number = ["-"] ( "0" | digits ) ["." digits] [("e" | "E") ["+" | "-"] digits] */
static bool scan_number(struct scanner *s)
{
    size_t start = s->at;
    char copy[NUMBER_LENGTH_MAX + 1];

    if (peek(s) == '-') {
        s->at++;
    }
    size_t first_digit = s->at;
    if (!scan_digits(s)) {
        return false;
    }
    if (s->bytes[first_digit] == '0' && s->at > first_digit + 1) {
        return fail_at(s, start, "a number may not start with an extra 0");
    }
    if (peek(s) == '.') {
        s->at++;
        if (!scan_digits(s)) {
            return false;
        }
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-') {
            s->at++;
        }
        if (!scan_digits(s)) {
            return false;
        }
    }
    size_t length = s->at - start;
    if (length > NUMBER_LENGTH_MAX) {
        return fail_at(s, start, "a number of %zu characters; expected at most %d", length,
                       (int)NUMBER_LENGTH_MAX);
    }
    memcpy(copy, s->bytes + start, length);
    copy[length] = '\0';
    if (!isfinite(strtod(copy, NULL))) {
        return fail_at(s, start, "the number %s is too large", copy);
    }
    return true;
}

static bool scan_word(struct scanner *s)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t start = s->at;

    while ((peek(s) | 0x20) >= 'a' && (peek(s) | 0x20) <= 'z') {
        s->at++;
    }
    size_t length = s->at - start;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (length == strlen(words[i]) && memcmp(s->bytes + start, words[i], length) == 0) {
            return true;
        }
    }
    if (length == 0) {
        return fail_expected(s, "a value");
    }
    return fail_at(s, start, "unknown word '%.*s'; write text in double quotes",
                   length > 40 ? 40 : (int)length, s->bytes + start);
}

static void add_position(struct scanner *s)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity == 0 ? 64 : s->capacity * 2;
        s->positions = realloc(s->positions, s->capacity * sizeof *s->positions);
        if (s->positions == NULL) {
            abort();
        }
    }
    s->pending.line = s->line;
    s->pending.column = column_of(s, s->at);
    s->positions[s->count++] = s->pending;
    s->pending = (struct position){0};
}

/* key = string ":", of the value that follows */
static bool scan_key(struct scanner *s)
{
    skip_blanks(s);
    if (peek(s) != '"') {
        return fail_expected(s, "a key in double quotes");
    }
    s->pending.key_line = s->line;
    s->pending.key_column = column_of(s, s->at);
    if (!scan_string(s)) {
        return false;
    }
    skip_blanks(s);
    if (peek(s) != ':') {
        return fail_expected(s, "':' after a key");
    }
    s->at++;
    return true;
}

/* Reads a scalar, or the opening of a container; *out_opened tells that its first member comes
 * next. An empty container is read whole. */
static bool scan_value_start(struct scanner *s, bool *out_opened)
{
    skip_blanks(s);
    char c = peek(s);
    add_position(s);
    *out_opened = false;
    if (c == '"') {
        return scan_string(s);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return scan_number(s);
    }
    if (c != '{' && c != '[') {
        return scan_word(s);
    }
    if (s->depth == DEPTH_MAX) {
        return fail_at(s, s->at, "nested more than %d deep", (int)DEPTH_MAX);
    }
    char closer = c == '{' ? '}' : ']';
    s->at++;
    skip_blanks(s);
    if (peek(s) == closer) {
        s->at++;
        return true;
    }
    s->closers[s->depth++] = closer;
    *out_opened = true;
    return true;
}

/* Reads what follows a value: closes containers until a comma announces the next member. */
static bool scan_after_value(struct scanner *s)
{
    while (s->depth > 0) {
        char closer = s->closers[s->depth - 1];
        skip_blanks(s);
        if (peek(s) == ',') {
            s->at++;
            return true;
        }
        if (peek(s) != closer) {
            return fail_expected(s, closer == '}' ? "',' or '}'" : "',' or ']'");
        }
        s->at++;
        s->depth--;
    }
    return true;
}

/* text = value; value = scalar | "{" key value { "," key value } "}" | "[" value {"," value} "]" */
static bool scan_text(struct scanner *s)
{
    bool opened;

    do {
        if (s->depth > 0 && s->closers[s->depth - 1] == '}' && !scan_key(s)) {
            return false;
        }
        if (!scan_value_start(s, &opened)) {
            return false;
        }
        if (!opened && !scan_after_value(s)) {
            return false;
        }
    } while (s->depth > 0);
    skip_blanks(s);
    return at_end(s) || fail_expected(s, "the end of the text");
}

/* Names the first byte of the line that ends at `end` that is no part of a character. */
static bool fail_encoding(struct scanner *s, size_t end)
{
    size_t good = s->at;
    size_t step = 1;

    while (step <= 4 && good + step <= end) {
        if (text_is_utf8(s->bytes + good, step)) {
            good += step;
            step = 1;
        } else {
            step++;
        }
    }
    if (s->bytes[good] == '\0') {
        return fail_at(s, good, "a NUL byte in the text");
    }
    return fail_at(s, good, "the byte 0x%02X is not UTF-8 text", (unsigned char)s->bytes[good]);
}

/* Refuses bytes that are no UTF-8 text, line by line, so that the place is known. */
static bool check_encoding(struct scanner *s)
{
    if (s->length >= 3 && memcmp(s->bytes, "\xEF\xBB\xBF", 3) == 0) {
        return fail_at(s, 0, "a byte order mark before the text; save the file without it");
    }
    while (!at_end(s)) {
        const char *newline = memchr(s->bytes + s->at, '\n', s->length - s->at);
        size_t end = newline == NULL ? s->length : (size_t)(newline - s->bytes);
        if (!text_is_utf8(s->bytes + s->at, end - s->at)) {
            return fail_encoding(s, end);
        }
        s->at = end + 1;
        s->line++;
        s->line_start = s->at;
    }
    s->at = 0;
    s->line = 1;
    s->line_start = 0;
    return true;
}

static int compare_places(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)((const struct place *)a)->value;
    uintptr_t right = (uintptr_t)((const struct place *)b)->value;

    return (left > right) - (left < right);
}

/* Pairs the values in the order in which they begin with the positions that the scanner saw. */
static bool result_check(struct json_document *document, const struct scanner *s)
{
    const cJSON *parents[DEPTH_MAX + 1];
    int depth = 0;
    const cJSON *value = document->root;

    document->places = calloc(s->count, sizeof *document->places);
    if (document->places == NULL) {
        abort();
    }
    while (value != NULL) {
        if (document->place_count == s->count) {
            return false;
        }
        size_t index = document->place_count++;
        document->places[index] = (struct place){value, s->positions[index]};
        if (value->child != NULL) {
            if (depth > DEPTH_MAX) {
                return false;
            }
            parents[depth++] = value;
            value = value->child;
            continue;
        }
        while (value->next == NULL && depth > 0) {
            value = parents[--depth];
        }
        value = value->next;
    }
    return document->place_count == s->count;
}

struct key {
    const char *name;
    size_t order;
    const cJSON *value;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *left = a;
    const struct key *right = b;
    int names = strcmp(left->name, right->name);

    if (names != 0) {
        return names;
    }
    return (left->order > right->order) - (left->order < right->order);
}

/* The first member whose key an earlier member of the same object has; NULL if there is none. */
static const cJSON *find_duplicate(const cJSON *object)
{
    size_t count = 0;
    const cJSON *duplicate = NULL;
    size_t first = SIZE_MAX;

    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        count++;
    }
    struct key *keys = calloc(count, sizeof *keys);
    if (keys == NULL) {
        abort();
    }
    count = 0;
    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        keys[count] = (struct key){member->string, count, member};
        count++;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1].name, keys[i].name) == 0 && keys[i].order < first) {
            first = keys[i].order;
            duplicate = keys[i].value;
        }
    }
    free(keys);
    return duplicate;
}

/* Called while places[] still is in the order of the text, so the first one is reported. */
static bool check_duplicates(const struct json_document *document, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < document->place_count; i++) {
        const cJSON *object = document->places[i].value;
        if (!cJSON_IsObject(object) || object->child == NULL) {
            continue;
        }
        const cJSON *duplicate = find_duplicate(object);
        for (size_t j = i; duplicate != NULL && j < document->place_count; j++) {
            if (document->places[j].value == duplicate) {
                const struct position *position = &document->places[j].position;
                diagnostic_set_at(diagnostic, document->blame, document->file, position->key_line,
                                  position->key_column, "the key '%s' occurs twice; remove one",
                                  duplicate->string);
                return false;
            }
        }
    }
    return true;
}

enum error json_parse(const char *bytes, size_t length, const char *file, enum blame blame,
                      struct json_document **out_document, struct diagnostic *diagnostic)
{
    struct scanner scanner = {.bytes = bytes,
                              .length = length,
                              .line = 1,
                              .file = file,
                              .blame = blame,
                              .diagnostic = diagnostic};
    struct json_document *document = NULL;
    enum error error = ERROR_SYNTAX;

    if (!check_encoding(&scanner) || !scan_text(&scanner)) {
        goto done;
    }
    document = calloc(1, sizeof *document);
    if (document == NULL) {
        abort();
    }
    document->blame = blame;
    snprintf(document->file, sizeof document->file, "%s", file == NULL ? "" : file);
    document->root = cJSON_ParseWithLength(bytes, length);
    if (document->root == NULL || !result_check(document, &scanner)) {
        diagnostic_set_at(diagnostic, BLAME_GRADER, file, 0, 0,
                          "cJSON does not read this text as the grader's scanner does");
        error = ERROR_INTERNAL;
        goto done;
    }
    if (!check_duplicates(document, diagnostic)) {
        goto done;
    }
    qsort(document->places, document->place_count, sizeof *document->places, compare_places);
    *out_document = document;
    document = NULL;
    error = ERROR_NONE;
done:
    json_document_free(document);
    free(scanner.positions);
    return error;
}

void json_document_free(struct json_document *document)
{
    if (document == NULL) {
        return;
    }
    cJSON_Delete(document->root);
    free(document->places);
    free(document);
}

const cJSON *json_root(const struct json_document *document)
{
    return document->root;
}

cJSON *json_tree(struct json_document *document)
{
    return document->root;
}

static const struct place *find_place(const struct json_document *document, const cJSON *value)
{
    const struct place wanted = {.value = value};

    return bsearch(&wanted, document->places, document->place_count, sizeof *document->places,
                   compare_places);
}

bool json_holds(const struct json_document *document, const cJSON *value)
{
    return find_place(document, value) != NULL;
}

const char *json_type_words(const cJSON *value)
{
    static const struct {
        int type;
        const char *name;
    } names[] = {
        {cJSON_False, "false"},      {cJSON_True, "true"},       {cJSON_NULL, "null"},
        {cJSON_Number, "a number"},  {cJSON_String, "a string"}, {cJSON_Array, "an array"},
        {cJSON_Object, "an object"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((value->type & 0xFF) == names[i].type) {
            return names[i].name;
        }
    }
    return "something else";
}

void json_diagnostic(const struct json_document *document, const cJSON *value, bool at_key,
                     struct diagnostic *out, const char *format, ...)
{
    char message[sizeof out->message];
    const struct place *place = find_place(document, value);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    assert(place != NULL);
    bool key = at_key && place->position.key_line > 0;
    diagnostic_set_at(out, document->blame, document->file,
                      key ? place->position.key_line : place->position.line,
                      key ? place->position.key_column : place->position.column, "%s", message);
}
