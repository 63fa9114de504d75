/* source_excerpt.c: one pass over the marked lines; see source_excerpt.h.
 *
 * A line is shown as a terminal shows it: tabs become blanks up to the next multiple of 4, control
 * characters become \xNN, and a line that is wider than the screen is cut to a window around the
 * first mark. A mark covers the name at its column with the indices behind it, or one character;
 * "..." stands for one outside of the window.
 */
#include "report/source_excerpt.h"

#include "report/display_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TAB_COLUMNS = 4, DEFAULT_COLUMNS = 100, SOURCE_COLUMNS_MIN = 30 };

/* One line of a source, without its end. */
struct source_line {
    const char *bytes;
    size_t length;
};

const struct source_file *source_find(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->source_count; i++) {
        if (strcmp(report->sources[i].name, name) == 0) {
            return &report->sources[i];
        }
    }
    return NULL;
}

static bool line_at(const struct source_file *source, int number, struct source_line *out_line)
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

size_t excerpt_margin(const struct excerpt_mark *marks, size_t count)
{
    size_t digits = 1;

    for (size_t i = 0; i < count; i++) {
        size_t own = 1;
        for (int rest = marks[i].line; rest >= 10; rest /= 10) {
            own++;
        }
        digits = own > digits ? own : digits;
    }
    return digits;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int source_find_name(const struct source_file *source, int line, const char *name, bool from_right)
{
    size_t length = strlen(name);
    struct source_line found;
    int column = 0;

    if (length == 0 || !line_at(source, line, &found)) {
        return 0;
    }
    for (size_t i = 0; i + length <= found.length && (column == 0 || from_right); i++) {
        bool starts = i == 0 || !is_name(found.bytes[i - 1]);
        bool ends = i + length == found.length || !is_name(found.bytes[i + length]);
        if (starts && ends && memcmp(found.bytes + i, name, length) == 0) {
            column = (int)i + 1;
        }
    }
    return column;
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

    if (column < 1 || !line_at(source, line, &found) || (size_t)column > found.length) {
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

/* The bytes that a mark covers: [*out_start, *out_end). */
static void mark_span(const struct source_line *line, const struct excerpt_mark *mark,
                      size_t *out_start, size_t *out_end)
{
    size_t start = mark->column > 0 ? (size_t)mark->column - 1 : 0;
    size_t end;

    if (mark->column <= 0) {
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
        end = end > start ? indices_end(line, end) : start + 1;
        end = mark->end > mark->column ? (size_t)mark->end - 1 : end;
    }
    *out_start = start;
    *out_end = end;
}

/* Appends the first `length` bytes of a line as they are shown; returns their columns. */
static size_t show_bytes(const struct source_line *line, size_t length, struct text *out)
{
    size_t columns = 0;

    length = length > line->length ? line->length : length;
    for (size_t i = 0; i < length;) {
        const char *tab = memchr(line->bytes + i, '\t', length - i);
        size_t stop = tab == NULL ? length : (size_t)(tab - line->bytes);
        size_t before = out->length;
        text_append_printable(out, line->bytes + i, stop - i, false);
        columns += stop > i ? display_width(out->bytes + before) : 0;
        i = stop;
        if (tab != NULL) {
            size_t blanks = TAB_COLUMNS - columns % TAB_COLUMNS;
            text_append_repeated(out, ' ', blanks);
            columns += blanks;
            i++;
        }
    }
    return columns;
}

static size_t shown_columns(const struct source_line *line, size_t length)
{
    struct text shown;

    text_init(&shown);
    size_t columns = show_bytes(line, length, &shown);
    text_release(&shown);
    return columns;
}

static void append_margin(struct text *out, bool color, size_t margin, int line)
{
    struct text gutter;

    text_init(&gutter);
    if (line > 0) {
        text_printf(&gutter, "%*d |", (int)margin, line);
    } else {
        text_append_repeated(&gutter, ' ', margin);
        text_append(&gutter, " |");
    }
    display_paint(out, color, PAINT_FAINT, gutter.bytes);
    text_release(&gutter);
}

/* The part of a line that fits on the screen. */
struct window {
    size_t skip, columns;
};

static struct window choose_window(const struct source_line *line, const struct excerpt_mark *mark,
                                   size_t columns)
{
    struct window window = {.skip = 0, .columns = columns};
    size_t start, end;

    mark_span(line, mark, &start, &end);
    if (shown_columns(line, line->length) <= columns) {
        return window;
    }
    size_t left = shown_columns(line, start);
    size_t right = shown_columns(line, end);
    if (right > columns - columns / 8) {
        window.skip = left > columns / 3 ? left - columns / 3 : 0;
    }
    return window;
}

static void append_mark(const struct source_line *line, const struct excerpt_mark *mark,
                        struct window window, bool color, struct text *out)
{
    struct text carets;
    size_t start, end;

    mark_span(line, mark, &start, &end);
    size_t left = shown_columns(line, start);
    size_t right = end > line->length ? left + 1 : shown_columns(line, end);
    right = right <= left ? left + 1 : right;
    bool is_seen = left >= window.skip && left < window.skip + window.columns;
    if (!is_seen) { /* the label stands alone, on the side of the mark */
        left = left < window.skip ? window.skip : window.skip + window.columns / 2;
        right = left;
    }
    if (right > window.skip + window.columns) {
        right = window.skip + window.columns;
    }
    text_append_repeated(out, ' ', 1 + left - window.skip);
    text_init(&carets);
    text_append_repeated(&carets, mark->primary ? '^' : '-', right - left);
    text_append(&carets, is_seen ? "" : "...");
    if (mark->label[0] != '\0') {
        text_append_char(&carets, ' ');
        display_append_foreign(&carets, mark->label);
    }
    display_paint(out, color, mark->primary ? PAINT_BAD : PAINT_SKIP, carets.bytes);
    text_release(&carets);
    text_append_char(out, '\n');
}

static void append_line(const struct source_line *line, struct window window, struct text *out)
{
    struct text shown;

    text_init(&shown);
    show_bytes(line, line->length, &shown);
    if (shown.length > 0) {
        text_append_char(out, ' ');
        display_append_window(out, shown.bytes, window.skip, window.columns);
    }
    text_append_char(out, '\n');
    text_release(&shown);
}

static int compare_marks(const void *a, const void *b)
{
    const struct excerpt_mark *left = a;
    const struct excerpt_mark *right = b;

    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return (left->column > right->column) - (left->column < right->column);
}

void source_excerpt(const struct source_file *source, struct excerpt_mark *marks, size_t count,
                    size_t margin, const struct terminal_style *style, struct text *out)
{
    size_t width = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
    size_t columns =
        width > margin + 3 + SOURCE_COLUMNS_MIN ? width - margin - 3 : SOURCE_COLUMNS_MIN;
    struct window window = {0, columns};
    struct source_line line = {NULL, 0};
    int shown = 0;

    qsort(marks, count, sizeof *marks, compare_marks);
    for (size_t i = 0; i < count; i++) {
        if (marks[i].line != shown || shown == 0) {
            if (!line_at(source, marks[i].line, &line)) {
                continue;
            }
            if (shown == 0) {
                append_margin(out, style->color, margin, 0);
                text_append_char(out, '\n');
            }
            shown = marks[i].line;
            window = choose_window(&line, &marks[i], columns);
            append_margin(out, style->color, margin, shown);
            append_line(&line, window, out);
        }
        append_margin(out, style->color, margin, 0);
        append_mark(&line, &marks[i], window, style->color, out);
    }
}
