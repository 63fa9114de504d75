/* terminal_diagnostic.c: diagnostics with their lines of source; see terminal_diagnostic.h.
 *
 * Each is written for itself first, so that its lines can be counted.
 */
#include "report/terminal/terminal_diagnostic.h"

#include "report/display_text.h"
#include "report/terminal/source_excerpt.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_COLUMNS = 100,
    MESSAGE_LINES = 4, /* unless verbose, of a message or a note */
    NOTE_COLUMNS = 9,  /* "explain: " */
};

static size_t screen_columns(const struct terminal_style *style)
{
    return style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
}

/* "error[R01]" */
static void append_severity(const struct report_diagnostic *diagnostic, struct text *out)
{
    text_append(out, diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
    if (diagnostic->code != CODE_NONE) {
        text_printf(out, "[%s]", code_id(diagnostic->code));
    }
}

/* Appends text of a report, wrapped. */
static void append_wrapped(struct text *out, const struct terminal_style *style, size_t at,
                           const char *string)
{
    const struct wrap wrap = {
        .at = at,
        .indent = at,
        .columns = screen_columns(style),
        .lines = style->verbose ? SIZE_MAX : MESSAGE_LINES,
    };
    struct text text;

    text_init(&text);
    display_append_foreign(&text, string);
    display_append_wrapped(out, text.bytes, &wrap);
    text_release(&text);
}

static void append_head(const struct report_diagnostic *diagnostic,
                        const struct terminal_style *style, struct text *out)
{
    struct text head;

    text_init(&head);
    append_severity(diagnostic, &head);
    display_paint(out, style->color,
                  diagnostic->severity == SEVERITY_ERROR ? PAINT_BAD : PAINT_PART, head.bytes);
    text_append(out, ": ");
    append_wrapped(out, style, head.length + 2, diagnostic->message);
    text_append_char(out, '\n');
    text_release(&head);
}

/* "a.cu:3:5" */
static void append_position(const struct report_diagnostic *diagnostic, struct text *out)
{
    display_append_foreign(out, diagnostic->file);
    if (diagnostic->line > 0) {
        text_printf(out, ":%d", diagnostic->line);
        if (diagnostic->column > 0) {
            text_printf(out, ":%d", diagnostic->column);
        }
    }
}

/* Appends the excerpt of one file: all marks in it. */
static void append_excerpt(const struct report *report, const struct report_diagnostic *diagnostic,
                           const char *file, const struct terminal_style *style, struct text *out)
{
    const struct source_file *source = source_find(report, file);
    struct diagnostic_mark *own = calloc(diagnostic->mark_count + 1, sizeof *own);
    size_t count = 0;

    if (own == NULL) {
        abort();
    }
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        if (strcmp(diagnostic->marks[i].file, file) == 0) {
            own[count++] = diagnostic->marks[i];
        }
    }
    if (source != NULL) {
        source_excerpt(source, own, count, excerpt_margin(diagnostic), style, out);
    }
    free(own);
}

static bool file_seen(const struct report_diagnostic *diagnostic, size_t before)
{
    const char *file = diagnostic->marks[before].file;

    if (strcmp(file, diagnostic->file) == 0) {
        return true;
    }
    for (size_t i = 0; i < before; i++) {
        if (strcmp(diagnostic->marks[i].file, file) == 0) {
            return true;
        }
    }
    return false;
}

static void append_sources(const struct report *report, const struct report_diagnostic *diagnostic,
                           size_t margin, const struct terminal_style *style, struct text *out)
{
    if (diagnostic->file[0] != '\0') {
        text_append_repeated(out, ' ', margin);
        text_append(out, "--> ");
        append_position(diagnostic, out);
        text_append_char(out, '\n');
        append_excerpt(report, diagnostic, diagnostic->file, style, out);
    }
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        if (!file_seen(diagnostic, i)) {
            text_append_repeated(out, ' ', margin);
            text_append(out, "::: ");
            display_append_foreign(out, diagnostic->marks[i].file);
            text_append_char(out, '\n');
            append_excerpt(report, diagnostic, diagnostic->marks[i].file, style, out);
        }
    }
}

/* Where a command is broken: before the last option that starts in its first bytes, so that the
 * option and its value stay together; else at `bytes`. */
static size_t before_option(const char *command, size_t bytes)
{
    size_t at = bytes;

    while (at > 0 && strncmp(command + at, " --", 3) != 0) {
        at--;
    }
    return at > 0 ? at : bytes;
}

/* Appends a command, which still is one when it is copied: a line that goes on ends in "\". */
static void append_command(struct text *out, const struct terminal_style *style, size_t indent,
                           const char *command)
{
    size_t room = screen_columns(style) > indent + 2 ? screen_columns(style) - indent : 2;
    struct text text;

    text_init(&text);
    display_append_foreign(&text, command);
    const char *rest = text.bytes;
    while (display_width(rest) > room) {
        size_t bytes = display_line_bytes(rest, room - 2);
        if (rest[bytes] != ' ') {
            break; /* one long word stays whole */
        }
        bytes = before_option(rest, bytes);
        size_t left = strlen(rest + bytes);
        if (text_command_start(rest + bytes, left) < left) {
            break; /* nor may a line begin with a command to the log that it is in */
        }
        text_append_bytes(out, rest, bytes);
        text_append(out, " \\\n");
        text_append_repeated(out, ' ', indent);
        rest += bytes + 1;
    }
    text_append(out, rest);
    text_release(&text);
}

static void append_note(const struct diagnostic_note *note, size_t margin,
                        const struct terminal_style *style, struct text *out)
{
    size_t indent = margin + 3 + NOTE_COLUMNS;
    struct text name;

    text_init(&name);
    text_printf(&name, "%s:", note_kind_name(note->kind));
    text_append_repeated(out, ' ', margin);
    text_append(out, " = ");
    display_append_padded(out, name.bytes, NOTE_COLUMNS);
    if (note->kind == NOTE_AGAIN || note->kind == NOTE_EXPLAIN) {
        append_command(out, style, indent, note->text);
    } else {
        append_wrapped(out, style, indent, note->text);
    }
    text_append_char(out, '\n');
    text_release(&name);
}

/* The lines that should change, with the name of each file that is not the diagnostic's, and where
 * new lines go. */
static void append_fix(const struct report_diagnostic *diagnostic, size_t margin,
                       const struct terminal_style *style, struct text *out)
{
    for (size_t i = 0; i < diagnostic->fix_count; i++) {
        const struct line_fix *fix = &diagnostic->fixes[i];
        const struct line_fix *last = i == 0 ? NULL : &diagnostic->fixes[i - 1];
        bool is_new = fix->before == NULL;
        bool is_first = last == NULL || strcmp(fix->file, last->file) != 0 ||
                        is_new != (last->before == NULL) || (is_new && fix->line != last->line);
        if (is_first) {
            text_append_repeated(out, ' ', margin);
            text_append(out, " = fix:");
        }
        if (is_first && strcmp(fix->file, diagnostic->file) != 0) {
            text_append_char(out, ' ');
            display_append_foreign(out, fix->file);
        }
        if (is_first && is_new) {
            text_printf(out, " after line %d", fix->line);
        }
        text_append(out, is_first ? "\n" : "");
        fix_excerpt(fix, 1, margin, style, out);
    }
}

static void append_diagnostic(const struct report *report,
                              const struct report_diagnostic *diagnostic,
                              const struct terminal_style *style, struct text *out)
{
    size_t margin = excerpt_margin(diagnostic);

    text_append_char(out, '\n');
    append_head(diagnostic, style, out);
    append_sources(report, diagnostic, margin, style, out);
    append_fix(diagnostic, margin, style, out);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        append_note(&diagnostic->notes[i], margin, style, out);
    }
}

/* One line: "error[G01]: a.cu:20:5: 16 times the loads that tiles need" */
static void append_short(const struct report_diagnostic *diagnostic,
                         const struct terminal_style *style, struct text *out)
{
    size_t columns = screen_columns(style);
    struct text head, rest;

    text_init(&head);
    text_init(&rest);
    append_severity(diagnostic, &head);
    if (diagnostic->file[0] != '\0') {
        append_position(diagnostic, &rest);
        text_append(&rest, ": ");
    }
    display_append_foreign(&rest, diagnostic->message);
    display_paint(out, style->color,
                  diagnostic->severity == SEVERITY_ERROR ? PAINT_BAD : PAINT_PART, head.bytes);
    text_append(out, ": ");
    display_append_window(out, rest.bytes, 0,
                          columns > head.length + 2 ? columns - head.length - 2 : 0);
    text_append_char(out, '\n');
    text_release(&head);
    text_release(&rest);
}

static size_t count_lines(const char *bytes, size_t length)
{
    size_t lines = 0;

    for (size_t i = 0; i < length; i++) {
        lines += bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
}

/* How many of the first diagnostics are shown whole, `heights` [count] lines each: all, or as many
 * as leave room for a line about each of the others, an empty one and one that says so. */
static size_t count_whole(const size_t *heights, size_t count, size_t lines)
{
    size_t used = 0;
    size_t whole = 0;

    for (size_t i = 0; i < count; i++) {
        used += heights[i];
        size_t others = count - i - 1;
        if (used + (others > 0 ? others + 2 : 0) <= lines) {
            whole = i + 1;
        }
    }
    return whole > 0 || count == 0 ? whole : 1;
}

static void append_rest(const struct report *report, size_t first, size_t lines,
                        const struct terminal_style *style, struct text *out)
{
    size_t count = report->diagnostic_count;
    size_t shown = first + (lines > 2 ? lines - 2 : 1);

    shown = shown > count ? count : shown;
    text_append_char(out, '\n');
    for (size_t i = first; i < shown; i++) {
        append_short(&report->diagnostics[i], style, out);
    }
    if (shown < count) {
        text_printf(out, "and %zu more; --verbose shows all\n", count - shown);
    } else {
        text_append(out, "--verbose shows them in full\n");
    }
}

void terminal_diagnostics(const struct report *report, const struct terminal_style *style,
                          size_t lines, struct text *out)
{
    size_t count = report->diagnostic_count;
    size_t *ends = calloc(count + 1, sizeof *ends);
    size_t *heights = calloc(count + 1, sizeof *heights);
    size_t used = 0;
    struct text all;

    if (ends == NULL || heights == NULL) {
        abort();
    }
    text_init(&all);
    for (size_t i = 0; i < count; i++) {
        size_t start = all.length;
        append_diagnostic(report, &report->diagnostics[i], style, &all);
        heights[i] = count_lines(all.bytes + start, all.length - start);
        ends[i] = all.length;
    }
    size_t whole = style->verbose ? count : count_whole(heights, count, lines);
    text_append_bytes(out, all.bytes, whole > 0 ? ends[whole - 1] : 0);
    for (size_t i = 0; i < whole; i++) {
        used += heights[i];
    }
    if (whole < count) {
        append_rest(report, whole, lines > used ? lines - used : 0, style, out);
    }
    text_release(&all);
    free(ends);
    free(heights);
}
