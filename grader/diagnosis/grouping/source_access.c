/* source_access.c: accesses by the bytes of a line alone; see source_access.h.
 *
 * A name with its indices and members is written if `=` or an operator with `=` follows, or `++` or
 * `--` stands beside it; it is read if no plain `=` follows.
 */
#include "diagnosis/grouping/source_access.h"

#include "source/source_line.h"

#include <ctype.h>
#include <string.h>

/* Longer lines, and statements of more of them, are nobody's handwriting: they are not looked at.
 */
enum { LINE_BYTES_MAX = 4096, STATEMENT_LINES_MAX = 32 };

/* What a line has of the accesses that are looked for. */
struct found {
    size_t count;
    size_t start, end; /* bytes, from the first to behind the last */
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_at(const struct source_line *line, size_t at, const char *text)
{
    size_t length = strlen(text);

    return at <= line->length && line->length - at >= length &&
           memcmp(line->bytes + at, text, length) == 0;
}

/* Where the next thing stands behind what is at `at`: a string, a comment or a character. */
static size_t skip(const struct source_line *line, size_t at)
{
    char quote = line->bytes[at];

    if (has_at(line, at, "//")) {
        return line->length;
    }
    if (has_at(line, at, "/*")) {
        for (at += 2; at < line->length && !has_at(line, at, "*/"); at++) {
        }
        return at + 2 < line->length ? at + 2 : line->length;
    }
    if (quote != '"' && quote != '\'') {
        return at + 1;
    }
    for (at++; at < line->length && line->bytes[at] != quote; at++) {
        at += line->bytes[at] == '\\' ? 1 : 0;
    }
    return at < line->length ? at + 1 : line->length;
}

static size_t skip_blanks(const struct source_line *line, size_t at)
{
    while (at < line->length && isspace((unsigned char)line->bytes[at])) {
        at++;
    }
    return at;
}

static size_t skip_name(const struct source_line *line, size_t at)
{
    while (at < line->length && is_name(line->bytes[at])) {
        at++;
    }
    return at;
}

/* Where the indices and members behind a name end. */
static size_t operand_end(const struct source_line *line, size_t at)
{
    for (size_t end = at;;) {
        size_t next = skip_blanks(line, end);
        int depth = 0;
        if (has_at(line, next, ".") || has_at(line, next, "->")) {
            end = skip_name(line, skip_blanks(line, next + (line->bytes[next] == '.' ? 1 : 2)));
            continue;
        }
        if (!has_at(line, next, "[")) {
            return end;
        }
        do {
            depth += line->bytes[next] == '[' ? 1 : line->bytes[next] == ']' ? -1 : 0;
            next = skip(line, next);
        } while (next < line->length && depth > 0);
        end = next;
    }
}

/* Length of the operator at `at` that assigns, with `=` last; 0 if it compares or is none. */
static size_t assignment_at(const struct source_line *line, size_t at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (has_at(line, at, signs[i])) {
            return strlen(signs[i]);
        }
    }
    return has_at(line, at, "=") && !has_at(line, at, "==") ? 1 : 0;
}

static bool is_access(const struct source_line *line, size_t start, size_t end,
                      enum source_access access)
{
    size_t next = skip_blanks(line, end);
    size_t sign = assignment_at(line, next);
    bool counts = has_at(line, next, "++") || has_at(line, next, "--") ||
                  (start >= 2 && (has_at(line, start - 2, "++") || has_at(line, start - 2, "--")));

    return access == SOURCE_ANY || (access == SOURCE_READ ? sign != 1 : sign > 0 || counts);
}

/* Adds the accesses from byte `from` on. */
static void find_accesses(const struct source_line *line, size_t from, const char *name,
                          enum source_access access, struct found *found)
{
    size_t length = strlen(name);

    for (size_t at = from; at < line->length;) {
        if (!is_name(line->bytes[at])) {
            at = skip(line, at);
            continue;
        }
        size_t behind = skip_name(line, at);
        if (behind - at == length && memcmp(line->bytes + at, name, length) == 0) {
            size_t end = operand_end(line, behind);
            if (is_access(line, at, end, access)) {
                found->start = found->count++ == 0 ? at : found->start;
                found->end = end;
            }
        }
        at = behind;
    }
}

/* Finds what the sign at byte `sign` assigns to: clang gives a store the column of its sign. */
static bool find_assigned(const struct source_line *line, size_t sign, struct found *found)
{
    for (size_t at = 0; at < sign && assignment_at(line, sign) > 0;) {
        if (!is_name(line->bytes[at])) {
            at = skip(line, at);
            continue;
        }
        size_t behind = skip_name(line, at);
        size_t end = operand_end(line, behind);
        if (skip_blanks(line, end) == sign) {
            *found = (struct found){1, at, end};
            return true;
        }
        at = behind;
    }
    return false;
}

/* Where the code of a line ends, from byte `from` on, and in how many brackets. */
static size_t code_end(const struct source_line *line, size_t from, int *out_depth)
{
    size_t end = from;

    *out_depth = 0;
    for (size_t at = from; at < line->length; at = skip(line, at)) {
        char c = line->bytes[at];
        if (isspace((unsigned char)c) || has_at(line, at, "//") || has_at(line, at, "/*")) {
            continue;
        }
        *out_depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        end = skip(line, at);
    }
    return end;
}

/* True if some statement of a line assigns. */
static bool line_assigns(const struct source_line *line, size_t from)
{
    for (size_t at = from; at < line->length; at = skip(line, at)) {
        bool compares = at > 0 && strchr("=!<>", line->bytes[at - 1]) != NULL &&
                        !(at > 1 && line->bytes[at - 2] == line->bytes[at - 1]);
        if (has_at(line, at, "=") && !has_at(line, at, "==") && !compares) {
            return true;
        }
    }
    return false;
}

/* True if the statement at the end of a line goes on with such accesses in the lines below. */
static bool goes_on(const struct source_file *source, int number, const struct source_line *line,
                    size_t from, const char *name, enum source_access access)
{
    struct found found = {0};
    struct source_line below;
    int depth = 0;
    size_t end = code_end(line, from, &depth);
    bool is_open = depth > 0 || (end > from && strchr(";{})", line->bytes[end - 1]) == NULL);

    for (int i = 1; i < STATEMENT_LINES_MAX && is_open && found.count == 0 &&
                    source_line_at(source, number + i, &below) && below.length <= LINE_BYTES_MAX;
         i++) {
        size_t semicolon = 0;
        while (semicolon < below.length && below.bytes[semicolon] != ';') {
            semicolon = skip(&below, semicolon);
        }
        is_open = semicolon >= below.length;
        below.length = is_open ? below.length : semicolon;
        find_accesses(&below, 0, name, access, &found);
    }
    return found.count > 0;
}

bool source_find_access(const struct source_file *source, int line, int column, const char *name,
                        enum source_access access, int *out_column, int *out_end)
{
    size_t from = column > 0 ? (size_t)column - 1 : 0;
    struct source_line found_line;
    struct found found = {0};
    int depth;

    if (!source_line_at(source, line, &found_line) || from >= found_line.length ||
        found_line.length > LINE_BYTES_MAX) {
        return false;
    }
    if (access == SOURCE_WRITE && find_assigned(&found_line, from, &found)) {
        *out_column = (int)found.start + 1;
        *out_end = (int)found.end + 1;
        return true;
    }
    if (name[0] == '\0') {
        return false;
    }
    find_accesses(&found_line, from, name, access, &found);
    if (found.count == 0 && from > 0) { /* the column may be one inside of the access */
        find_accesses(&found_line, 0, name, access, &found);
        if (found.count != 1 || found.start >= from || found.end <= from) {
            found = (struct found){0};
        }
    }
    if (found.count == 0 && access == SOURCE_WRITE && !line_assigns(&found_line, from)) {
        access = SOURCE_ANY; /* a call that is given the variable */
        find_accesses(&found_line, from, name, access, &found);
    }
    if (found.count == 0) {
        return false;
    }
    if (goes_on(source, line, &found_line, from, name, access)) {
        found.start = column > 0 ? from : found.start;
        found.end = code_end(&found_line, from, &depth);
    }
    *out_column = (int)found.start + 1;
    *out_end = (int)found.end + 1;
    return true;
}

int source_statements_end(const struct source_file *source, int line)
{
    struct source_line found;
    size_t end = 0;

    if (!source_line_at(source, line, &found)) {
        return 0;
    }
    for (size_t at = 0; at < found.length; at = skip(&found, at)) {
        bool is_comment = has_at(&found, at, "//") || has_at(&found, at, "/*");
        if (!is_comment && !isspace((unsigned char)found.bytes[at]) && found.bytes[at] != ';' &&
            found.bytes[at] != '}') {
            end = skip(&found, at);
        }
    }
    return end > 0 ? (int)end + 1 : 0;
}
