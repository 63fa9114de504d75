/* source_excerpt.c: one pass over the marked lines; see source_excerpt.h.
 *
 * A line is shown as a terminal shows it: tabs become blanks up to the next multiple of 4, control
 * characters become \xNN, and a line that is wider than the screen is cut to a window around the
 * first mark. A mark covers the name at its column with the indices behind it, or one character;
 * "..." stands for one outside of the window.
 */
#include "report/terminal/source_excerpt.h"

#include "report/display_text.h"

#include <stdlib.h>
#include <string.h>

enum { TAB_COLUMNS = 4, DEFAULT_COLUMNS = 100, SOURCE_COLUMNS_MIN = 30, LABEL_COLUMNS_MIN = 24 };

static size_t digits_of(int number)
{
    size_t digits = 1;

    for (int rest = number; rest >= 10; rest /= 10) {
        digits++;
    }
    return digits;
}

size_t excerpt_margin(const struct report_diagnostic *diagnostic)
{
    size_t margin = 1;

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        size_t own = digits_of(diagnostic->marks[i].line);
        margin = own > margin ? own : margin;
    }
    for (size_t i = 0; i < diagnostic->fix_count; i++) {
        size_t own = digits_of(diagnostic->fixes[i].line);
        margin = own > margin ? own : margin;
    }
    return margin;
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

static size_t caret_columns(const struct source_line *line, size_t length)
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

/* What holds for all lines of an excerpt. */
struct excerpt {
    bool color;
    size_t margin, columns; /* columns of source */
};

/* The part of a line that fits on the screen. */
struct window {
    size_t skip, columns;
};

static struct window choose_window(const struct source_line *line,
                                   const struct diagnostic_mark *mark, size_t columns)
{
    struct window window = {.skip = 0, .columns = columns};
    size_t start, end;

    source_mark_span(line, mark->column, mark->end, &start, &end);
    if (caret_columns(line, line->length) <= columns) {
        return window;
    }
    size_t left = caret_columns(line, start);
    size_t right = caret_columns(line, end);
    if (right > columns - columns / 8) {
        window.skip = left > columns / 3 ? left - columns / 3 : 0;
    }
    return window;
}

/* Where a mark stands on the screen, in columns of the window. */
struct carets {
    size_t left, right;
    bool is_seen; /* false: the label stands alone, on the side of the mark */
};

static struct carets place_carets(const struct source_line *line,
                                  const struct diagnostic_mark *mark, struct window window)
{
    struct carets carets;
    size_t start, end;

    source_mark_span(line, mark->column, mark->end, &start, &end);
    carets.left = caret_columns(line, start);
    carets.right = end > line->length ? carets.left + 1 : caret_columns(line, end);
    carets.right = carets.right <= carets.left ? carets.left + 1 : carets.right;
    carets.is_seen = carets.left >= window.skip && carets.left < window.skip + window.columns;
    if (!carets.is_seen) {
        carets.left = carets.left < window.skip ? window.skip : window.skip + window.columns / 2;
        carets.right = carets.left;
    }
    if (carets.right > window.skip + window.columns) {
        carets.right = window.skip + window.columns;
    }
    carets.left -= window.skip;
    carets.right -= window.skip;
    return carets;
}

/* Appends a label beside the carets, and more of it below its beginning; where there is no room
 * beside them, below them. */
static void append_label(const struct excerpt *excerpt, const struct carets *carets,
                         const char *label, enum paint paint, struct text *out)
{
    size_t columns = excerpt->columns;
    size_t at = carets->right + (carets->is_seen ? 1 : 4);
    struct text line;

    if (at + LABEL_COLUMNS_MIN > columns && at + display_width(label) > columns) {
        size_t width = display_width(label);
        at = width < columns ? columns - width : 0;
        at = carets->left < at ? carets->left : at;
        text_append_char(out, '\n');
        append_margin(out, excerpt->color, excerpt->margin, 0);
        text_append_repeated(out, ' ', 1 + at);
    } else {
        text_append_char(out, ' ');
    }
    text_init(&line);
    while (true) {
        size_t bytes = display_line_bytes(label, columns > at ? columns - at : 1);
        text_clear(&line);
        text_append_bytes(&line, label, bytes);
        display_paint(out, excerpt->color, paint, line.bytes);
        label += bytes;
        while (*label == ' ') {
            label++;
        }
        if (*label == '\0') {
            break;
        }
        text_append_char(out, '\n');
        append_margin(out, excerpt->color, excerpt->margin, 0);
        text_append_repeated(out, ' ', 1 + at);
    }
    text_release(&line);
}

static void append_mark(const struct excerpt *excerpt, const struct source_line *line,
                        const struct diagnostic_mark *mark, struct window window, struct text *out)
{
    enum paint paint = mark->is_primary ? PAINT_BAD : PAINT_SKIP;
    struct carets carets = place_carets(line, mark, window);
    struct text text;

    append_margin(out, excerpt->color, excerpt->margin, 0);
    text_append_repeated(out, ' ', 1 + carets.left);
    text_init(&text);
    text_append_repeated(&text, mark->is_primary ? '^' : '-', carets.right - carets.left);
    text_append(&text, carets.is_seen ? "" : "...");
    display_paint(out, excerpt->color, paint, text.bytes);
    text_clear(&text);
    display_append_foreign(&text, mark->label);
    if (text.length > 0) {
        append_label(excerpt, &carets, text.bytes, paint, out);
    }
    text_append_char(out, '\n');
    text_release(&text);
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
    const struct diagnostic_mark *left = a;
    const struct diagnostic_mark *right = b;

    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return (left->column > right->column) - (left->column < right->column);
}

static struct excerpt excerpt_of(size_t margin, const struct terminal_style *style)
{
    size_t width = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;

    return (struct excerpt){
        .color = style->color,
        .margin = margin,
        .columns =
            width > margin + 3 + SOURCE_COLUMNS_MIN ? width - margin - 3 : SOURCE_COLUMNS_MIN,
    };
}

void source_excerpt(const struct source_file *source, struct diagnostic_mark *marks, size_t count,
                    size_t margin, const struct terminal_style *style, struct text *out)
{
    struct excerpt excerpt = excerpt_of(margin, style);
    struct window window = {0, excerpt.columns};
    struct source_line line = {NULL, 0};
    int shown = 0;

    qsort(marks, count, sizeof *marks, compare_marks);
    for (size_t i = 0; i < count; i++) {
        if (marks[i].line != shown || shown == 0) {
            if (!source_line_at(source, marks[i].line, &line)) {
                continue;
            }
            if (shown == 0) {
                append_margin(out, style->color, margin, 0);
                text_append_char(out, '\n');
            }
            shown = marks[i].line;
            window = choose_window(&line, &marks[i], excerpt.columns);
            append_margin(out, style->color, margin, shown);
            append_line(&line, window, out);
        }
        append_mark(&excerpt, &line, &marks[i], window, out);
    }
}

/* One line of a diff. */
static void append_change(const struct excerpt *excerpt, const struct line_fix *fix, bool is_after,
                          struct window window, struct text *out)
{
    const char *string = is_after ? fix->after : fix->before;
    struct text text;

    if (string == NULL) {
        return;
    }
    const struct source_line line = {string, strlen(string)};
    text_init(&text);
    if (fix->before == NULL) { /* it has no number yet */
        text_append_repeated(&text, ' ', excerpt->margin);
    } else {
        text_printf(&text, "%*d", (int)excerpt->margin, fix->line);
    }
    text_printf(&text, " %c", is_after ? '+' : '-');
    append_line(&line, window, &text);
    text.bytes[--text.length] = '\0'; /* the end of the line is not painted */
    display_paint(out, excerpt->color, is_after ? PAINT_GOOD : PAINT_BAD, text.bytes);
    text_append_char(out, '\n');
    text_release(&text);
}

void fix_excerpt(const struct line_fix *fixes, size_t count, size_t margin,
                 const struct terminal_style *style, struct text *out)
{
    const struct excerpt excerpt = excerpt_of(margin, style);

    for (size_t i = 0; i < count; i++) {
        const char *before = fixes[i].before == NULL ? fixes[i].after : fixes[i].before;
        const char *shown = fixes[i].after == NULL ? before : fixes[i].after;
        const struct source_line after = {shown, strlen(shown)};
        size_t same = 0;
        while (before != shown && before[same] != '\0' && before[same] == shown[same]) {
            same++;
        }
        const struct diagnostic_mark change = {.column = (int)same + 1, .end = (int)same + 2};
        struct window window = choose_window(&after, &change, excerpt.columns);
        append_change(&excerpt, &fixes[i], false, window, out);
        append_change(&excerpt, &fixes[i], true, window, out);
    }
}
