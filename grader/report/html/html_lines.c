/* html_lines.c: see html_lines.h.
 *
 * Each byte of a line is plain, in a secondary mark or in a primary one; where that changes, an
 * element ends or begins. Changes are moved to the start of a character.
 */
#include "report/html/html_lines.h"

#include "base/text.h"
#include "report/escape.h"
#include "report/html/html_text.h"
#include "source/source_line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool same_file(const char *left, const char *right)
{
    return strcmp(text_or_empty(left), text_or_empty(right)) == 0;
}

static int compare_marks(const void *a, const void *b)
{
    const struct html_mark *left = a;
    const struct html_mark *right = b;

    if (left->mark.line != right->mark.line) {
        return left->mark.line < right->mark.line ? -1 : 1;
    }
    if (left->mark.column != right->mark.column) {
        return left->mark.column < right->mark.column ? -1 : 1;
    }
    return (left->diagnostic > right->diagnostic) - (left->diagnostic < right->diagnostic);
}

/* The mark of a diagnostic that has none: its place. */
static struct html_mark place_mark(const struct report *report, size_t index)
{
    const struct report_diagnostic *diagnostic = &report->diagnostics[index];

    return (struct html_mark){.mark = {.file = text_or_empty(diagnostic->file),
                                       .line = diagnostic->line,
                                       .column = diagnostic->column,
                                       .is_primary = true,
                                       .label = ""},
                              .diagnostic = index};
}

struct html_mark *html_marks_of(const struct report *report, size_t diagnostic, struct arena *arena,
                                size_t *out_count)
{
    const struct report_diagnostic *told = &report->diagnostics[diagnostic];
    struct html_mark *marks = arena_array(arena, told->mark_count + 1, sizeof *marks);
    size_t count = 0;

    for (size_t i = 0; i < told->mark_count; i++) {
        marks[count++] = (struct html_mark){told->marks[i], diagnostic};
    }
    if (count == 0 && told->line > 0) {
        marks[count++] = place_mark(report, diagnostic);
    }
    qsort(marks, count, sizeof *marks, compare_marks);
    *out_count = count;
    return marks;
}

struct html_mark *html_marks_in(const struct report *report, const char *file, struct arena *arena,
                                size_t *out_count)
{
    struct html_mark *marks = NULL;
    size_t capacity = 0;
    size_t count = 0;

    for (size_t i = 0; i < report->diagnostic_count; i++) {
        size_t own_count;
        struct html_mark *own = html_marks_of(report, i, arena, &own_count);
        arena_grow(arena, &marks, &capacity, count + own_count + 1, sizeof *marks);
        for (size_t j = 0; j < own_count; j++) {
            if (same_file(own[j].mark.file, file)) {
                marks[count++] = own[j];
            }
        }
    }
    if (count > 0) {
        qsort(marks, count, sizeof *marks, compare_marks);
    }
    *out_count = count;
    return marks;
}

int html_line_count(const struct source_file *source)
{
    const char *at = source->text;
    const char *end = source->text + source->length;
    struct html_line line;
    int count = 0;

    while (html_next_line(&at, end, &line)) {
        count++;
    }
    return count;
}

/* True if a diagnostic or a profile names a line of a file between two numbers. */
static bool is_named(const struct report *report, const char *file, int first, int last)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *told = &report->diagnostics[i];
        if (same_file(told->file, file) && told->line >= first && told->line <= last) {
            return true;
        }
        for (size_t j = 0; j < told->mark_count; j++) {
            const struct diagnostic_mark *mark = &told->marks[j];
            if (same_file(mark->file, file) && mark->line >= first && mark->line <= last) {
                return true;
            }
        }
    }
    for (size_t i = 0; i < report->profile_count; i++) {
        const struct launch_profile *profile = &report->profiles[i];
        for (size_t j = 0; j < profile->line_count; j++) {
            const struct line_count *line = &profile->lines[j];
            if (same_file(line->file, file) && line->line >= first && line->line <= last) {
                return true;
            }
        }
    }
    return false;
}

bool html_shows_file(const struct report *report, const struct source_file *source)
{
    for (size_t i = 0; i < report->rubric->program_count; i++) {
        const struct rubric_program *program = &report->rubric->programs[i];
        for (size_t j = 0; j < program->source_count; j++) {
            if (same_file(program->sources[j], source->name)) {
                return true;
            }
        }
    }
    return is_named(report, source->name, 0, INT32_MAX);
}

bool html_is_near(const struct report *report, const struct source_file *source, int line)
{
    return is_named(report, source->name, line - HTML_NEAR_LINES, line + HTML_NEAR_LINES);
}

static bool shows_line(const struct report *report, const struct source_file *source, int line)
{
    int count = html_line_count(source);

    return line >= 1 && line <= count &&
           (count <= HTML_FILE_LINES || html_is_near(report, source, line));
}

size_t html_source_of(const struct report *report, const char *file, int line)
{
    for (size_t i = 0; i < report->source_count; i++) {
        const struct source_file *source = &report->sources[i];
        if (same_file(source->name, file) && html_shows_file(report, source)) {
            return line <= 0 || shows_line(report, source, line) ? i : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

void html_place(const struct report *report, struct text *out, const char *file, int line,
                int column)
{
    size_t index = html_source_of(report, file, line);

    if (index != SIZE_MAX) {
        text_printf(out, "<a href=\"#f%zu", index + 1);
        if (line > 0) {
            text_printf(out, "-L%d", line);
        }
        text_append(out, "\">");
    }
    text_append(out, "<code>");
    html_escape(out, file);
    if (line > 0) {
        text_printf(out, ":%d", line);
    }
    if (line > 0 && column > 0) {
        text_printf(out, ":%d", column);
    }
    text_append(out, index != SIZE_MAX ? "</code></a>" : "</code>");
}

bool html_next_line(const char **at, const char *end, struct html_line *out_line)
{
    const char *start = *at;

    if (start >= end) {
        return false;
    }
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    const char *stop = newline == NULL ? end : newline;
    *at = newline == NULL ? end : newline + 1;
    out_line->heat = 0;
    out_line->bytes = start;
    out_line->length = (size_t)(stop - start);
    while (out_line->length > 0 && strchr(" \t\r", start[out_line->length - 1]) != NULL) {
        out_line->length--;
    }
    return true;
}

enum paint { PLAIN, SECONDARY, PRIMARY };

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Paints the bytes that a mark covers, whole characters. */
static void paint_mark(const struct html_line *line, const struct diagnostic_mark *mark,
                       size_t length, unsigned char *paint)
{
    const struct source_line found = {line->bytes, line->length};
    unsigned char colour = mark->is_primary ? PRIMARY : SECONDARY;
    size_t start, end;

    source_mark_span(&found, mark->column, mark->end, &start, &end);
    while (start > 0 && start < length && continues_character(line->bytes[start])) {
        start--;
    }
    while (end < length && continues_character(line->bytes[end])) {
        end++;
    }
    for (size_t i = start; i < end && i < length; i++) {
        paint[i] = colour > paint[i] ? colour : paint[i];
    }
}

static void append_painted(const struct html_line *line, size_t length, const unsigned char *paint,
                           struct text *out)
{
    static const char *const starts[] = {[PLAIN] = "",
                                         [SECONDARY] = "<mark class=\"second\">",
                                         [PRIMARY] = "<mark class=\"first\">"};

    for (size_t i = 0; i < length;) {
        size_t stop = i + 1;
        while (stop < length && paint[stop] == paint[i]) {
            stop++;
        }
        text_append(out, starts[paint[i]]);
        escape_html(line->bytes + i, stop - i, out);
        text_append(out, paint[i] == PLAIN ? "" : "</mark>");
        i = stop;
    }
}

void html_line_code(const struct html_line *line, struct text *out)
{
    unsigned char paint[HTML_LINE_BYTES] = {PLAIN};
    size_t length = line->length;

    if (length > HTML_LINE_BYTES) {
        length = HTML_LINE_BYTES;
        while (length > 0 && continues_character(line->bytes[length])) {
            length--;
        }
    }
    for (size_t i = 0; i < line->mark_count; i++) {
        paint_mark(line, &line->marks[i].mark, length, paint);
    }
    append_painted(line, length, paint, out);
    if (length < line->length) {
        text_append(out, " <span class=\"left-out\">and ");
        html_count(out, line->length - length);
        text_append(out, " more bytes</span>");
    }
}

/* What a mark says below its line: its label; of the whole file also which diagnostic it is, and
 * the message if there is no label. */
static void append_label(const struct report *report, const struct html_mark *marked, bool links,
                         struct text *out)
{
    const struct report_diagnostic *told = &report->diagnostics[marked->diagnostic];
    const char *label = text_or_empty(marked->mark.label);

    if (label[0] == '\0' && !links) {
        return;
    }
    text_printf(out, "<span class=\"label %s %s\">", marked->mark.is_primary ? "first" : "second",
                told->severity == SEVERITY_ERROR ? "error" : "warning");
    if (links) {
        text_printf(out, "<a href=\"#d%zu\">", marked->diagnostic + 1);
        html_code(out, told);
        text_append(out, "</a> ");
        label = label[0] == '\0' ? text_or_empty(told->message) : label;
    }
    html_prose(out, label);
    text_append(out, "</span>");
}

/* A bar whose width is one of five steps, and the share in digits. */
static void append_heat(double heat, struct text *out)
{
    enum { STEPS = 5 };
    const int percent = (int)(100 * heat + 0.5);

    if (percent > 0) {
        text_printf(out,
                    " <span class=\"heat heat%d\">%d %%<span class=\"unseen\"> of what the kernel "
                    "moves</span></span>",
                    1 + (percent * STEPS - 1) / 100, percent);
    }
}

void html_line(const struct report *report, const struct html_line *line, size_t file_number,
               struct text *out)
{
    bool links = file_number > 0;

    text_printf(out, "<li value=\"%d\"", line->number);
    if (links) {
        text_printf(out, " id=\"f%zu-L%d\"", file_number, line->number);
    }
    text_append(out, line->mark_count > 0 ? " class=\"marked\"><code>" : "><code>");
    html_line_code(line, out);
    text_append(out, "</code>");
    for (size_t i = 0; i < line->mark_count; i++) {
        append_label(report, &line->marks[i], links, out);
    }
    append_heat(line->heat, out);
    text_append(out, "</li>\n");
}
