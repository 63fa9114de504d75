/* source_line.c: lines, names and statements by their bytes alone; see source_line.h. */
#include "source/source_line.h"

#include <ctype.h>
#include <string.h>

const struct source_file *source_find(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->source_count; i++) {
        if (strcmp(report->sources[i].name, name) == 0) {
            return &report->sources[i];
        }
    }
    return NULL;
}

bool source_line_at(const struct source_file *source, int number, struct source_line *out_line)
{
    const char *end = source->text + source->length;
    const char *start = source->text;

    if (number < 1) {
        return false;
    }
    for (int line = 1; line < number; line++) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        if (newline == NULL) {
            return false;
        }
        start = newline + 1;
    }
    if (start == end) {
        return false;
    }
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    out_line->bytes = start;
    out_line->length = (size_t)((newline == NULL ? end : newline) - start);
    while (out_line->length > 0 && isspace((unsigned char)out_line->bytes[out_line->length - 1])) {
        out_line->length--;
    }
    return true;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The `=` of an assignment in [at, end), outside of brackets; `end` if there is none. */
static size_t find_assignment(const char *bytes, size_t at, size_t end)
{
    int depth = 0;

    for (size_t i = at; i < end; i++) {
        char c = bytes[i];
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (c != '=' || depth != 0) {
            continue;
        }
        char before = i > at ? bytes[i - 1] : ' ';
        bool is_shift = i > at + 1 && strchr("<>", before) != NULL && bytes[i - 2] == before;
        bool compares = (i + 1 < end && bytes[i + 1] == '=') || before == '=' ||
                        (strchr("<>!", before) != NULL && !is_shift);
        if (!compares) {
            return i;
        }
    }
    return end;
}

/* Where the statement at `at` ends: at a semicolon, or at a bracket that it did not open. */
static size_t statement_end(const struct source_line *line, size_t at)
{
    int depth = 0;

    for (size_t i = at; i < line->length; i++) {
        char c = line->bytes[i];
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth < 0 || (c == ';' && depth == 0)) {
            return i;
        }
    }
    return line->length;
}

bool source_find_value(const struct source_file *source, int line, int column, int *out_column,
                       int *out_end)
{
    struct source_line found;

    if (column < 1 || !source_line_at(source, line, &found) || (size_t)column > found.length) {
        return false;
    }
    size_t start = (size_t)column - 1;
    size_t end = statement_end(&found, start);
    size_t sign = find_assignment(found.bytes, start, end);
    if (sign == end) {
        return false;
    }
    if (sign == start || strchr("+-*/%&|^<>", found.bytes[sign - 1]) == NULL) {
        start = sign + 1;
    }
    while (start < end && isspace((unsigned char)found.bytes[start])) {
        start++;
    }
    if (start == end) {
        return false;
    }
    *out_column = (int)start + 1;
    *out_end = (int)end + 1;
    return true;
}

/* Where the indices that start at `at` end: behind the last closed bracket. */
static size_t indices_end(const struct source_line *line, size_t at)
{
    size_t end = at;
    int depth = 0;

    for (size_t i = at; i < line->length && (depth > 0 || line->bytes[i] == '['); i++) {
        if (line->bytes[i] == '[') {
            depth++;
        } else if (line->bytes[i] == ']' && --depth == 0) {
            end = i + 1;
        }
    }
    return end;
}

/* Where the string that starts at `at` ends; behind the character there if none does. */
static size_t literal_end(const struct source_line *line, size_t at)
{
    if (at >= line->length || line->bytes[at] != '"') {
        return at + 1;
    }
    for (size_t i = at + 1; i < line->length; i++) {
        if (line->bytes[i] == '"') {
            return i + 1;
        }
        i += line->bytes[i] == '\\' ? 1 : 0;
    }
    return at + 1;
}

void source_mark_span(const struct source_line *line, int column, int mark_end, size_t *out_start,
                      size_t *out_end)
{
    size_t start = column > 0 ? (size_t)column - 1 : 0;
    size_t end;

    if (column <= 0) {
        while (start < line->length && isspace((unsigned char)line->bytes[start])) {
            start++;
        }
        end = line->length;
    } else {
        start = start > line->length ? line->length : start;
        end = start;
        while (end < line->length && is_name(line->bytes[end])) {
            end++;
        }
        end = end > start ? indices_end(line, end) : literal_end(line, start);
        end = mark_end > column ? (size_t)mark_end - 1 : end;
    }
    *out_start = start;
    *out_end = end;
}
