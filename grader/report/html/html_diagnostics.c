/* html_diagnostics.c: an article for each diagnostic, and the remarks; see html_sections.h.
 *
 * The excerpt of a diagnostic shows the marked lines of each file with CONTEXT_LINES around them;
 * where lines are left out, a gap is shown. Of a file whose text the report does not have, as that
 * of a score that was read back, the marks are listed with their places.
 */
#include "report/html/html_lines.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"
#include "report/left_out.h"
#include "report/step_moments.h"
#include "source/source_line.h"

#include "base/text.h"

#include <string.h>

enum { CONTEXT_LINES = 2 };

/* True if a line is within the context of a mark in the file. */
static bool is_shown(const struct html_mark *marks, size_t count, const char *file, int line)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text_or_empty(marks[i].mark.file), file) == 0 &&
            line >= marks[i].mark.line - CONTEXT_LINES &&
            line <= marks[i].mark.line + CONTEXT_LINES) {
            return true;
        }
    }
    return false;
}

/* Fills `out_own` with the marks of one line of a file. */
static size_t marks_at(const struct html_mark *marks, size_t count, const char *file, int line,
                       struct html_mark *out_own)
{
    size_t own = 0;

    for (size_t i = 0; i < count; i++) {
        if (marks[i].mark.line == line && strcmp(text_or_empty(marks[i].mark.file), file) == 0) {
            out_own[own++] = marks[i];
        }
    }
    return own;
}

static void append_file_excerpt(const struct report *report, struct arena *arena,
                                const struct html_mark *marks, size_t count,
                                const struct source_file *source, struct text *out)
{
    struct html_mark *own = arena_array(arena, count, sizeof *own);
    const char *at = source->text;
    const char *end = source->text + source->length;
    struct html_line line;
    int shown = 0;

    text_append(out, "<ol class=\"source\">\n");
    for (int number = 1; html_next_line(&at, end, &line); number++) {
        if (!is_shown(marks, count, source->name, number)) {
            continue;
        }
        if (shown > 0 && number > shown + 1) {
            text_append(out, "<li class=\"gap\" aria-hidden=\"true\"></li>\n");
        }
        line.number = number;
        line.marks = own;
        line.mark_count = marks_at(marks, count, source->name, number, own);
        html_line(report, &line, 0, out);
        shown = number;
    }
    text_append(out, "</ol>\n");
}

static bool seen_before(const struct html_mark *marks, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(text_or_empty(marks[i].mark.file), text_or_empty(marks[index].mark.file)) == 0) {
            return true;
        }
    }
    return false;
}

/* True if a mark only repeats the place of its diagnostic. */
static bool is_place_alone(const struct report_diagnostic *told, const struct diagnostic_mark *mark)
{
    return text_or_empty(mark->label)[0] == '\0' && mark->line == told->line &&
           mark->column == told->column &&
           strcmp(text_or_empty(mark->file), text_or_empty(told->file)) == 0;
}

/* "a.cu:27:9: written by thread (3,5)" for each mark in a file that cannot be shown. */
static void append_mark_list(const struct report *report, size_t index,
                             const struct html_mark *marks, size_t count, const char *file,
                             struct text *out)
{
    bool is_first = true;

    for (size_t i = 0; i < count; i++) {
        const struct diagnostic_mark *mark = &marks[i].mark;
        if (strcmp(text_or_empty(mark->file), file) != 0 ||
            is_place_alone(&report->diagnostics[index], mark)) {
            continue;
        }
        text_append(out, is_first ? "<ul class=\"marks\">\n<li>" : "<li>");
        html_place(report, out, file, mark->line, mark->column);
        if (text_or_empty(mark->label)[0] != '\0') {
            text_append(out, ": ");
            html_prose(out, mark->label);
        }
        text_append(out, "</li>\n");
        is_first = false;
    }
    text_append(out, is_first ? "" : "</ul>\n");
}

/* The excerpt of one file, or its marks, under the name of its place. */
static void append_file(const struct report *report, struct arena *arena, size_t index,
                        const struct html_mark *marks, size_t count, const char *file,
                        struct text *out)
{
    const struct report_diagnostic *told = &report->diagnostics[index];
    const struct source_file *source = source_find(report, file);
    bool is_own = strcmp(text_or_empty(told->file), file) == 0;

    text_append(out, "<p class=\"place\">");
    html_place(report, out, file, is_own ? told->line : 0, is_own ? told->column : 0);
    text_append(out, "</p>\n");
    if (source != NULL && count > 0) {
        append_file_excerpt(report, arena, marks, count, source, out);
    } else if (source == NULL) {
        append_mark_list(report, index, marks, count, file, out);
    }
}

static void append_places(const struct report *report, struct arena *arena, size_t index,
                          struct text *out)
{
    const char *file = text_or_empty(report->diagnostics[index].file);
    size_t count;
    const struct html_mark *marks = html_marks_of(report, index, arena, &count);

    if (file[0] != '\0') {
        append_file(report, arena, index, marks, count, file, out);
    }
    for (size_t i = 0; i < count; i++) {
        const char *other = text_or_empty(marks[i].mark.file);
        if (strcmp(other, file) != 0 && !seen_before(marks, i)) {
            append_file(report, arena, index, marks, count, other, out);
        }
    }
}

static void append_note(const struct report *report, const struct report_diagnostic *told,
                        const struct diagnostic_note *note, struct text *out)
{
    bool is_command = note->kind == NOTE_AGAIN || note->kind == NOTE_EXPLAIN;

    text_printf(out, "<div class=\"%s\"><dt>%s</dt><dd>", note_kind_name(note->kind),
                note_kind_name(note->kind));
    if (is_command) {
        html_command(out, note->text);
    } else {
        html_sentence(out, note->text);
    }
    if (note->kind == NOTE_EXPLAIN && html_explains(report, told->code)) {
        text_printf(out, " or <a href=\"#explain-%s\">below</a>", code_id(told->code));
    }
    text_append(out, "</dd></div>\n");
}

/* A line of a diff; NULL: there is none. */
static void append_changed(struct text *out, const char *element, const char *line)
{
    if (line != NULL) {
        text_printf(out, "<%s>", element);
        html_escape(out, line);
        text_printf(out, "</%s>", element);
    }
}

/* The lines that should change, as a diff. */
static void append_fix(const struct report *report, const struct report_diagnostic *told,
                       struct text *out)
{
    if (told->fix_count == 0) {
        return;
    }
    text_append(out, "<div class=\"fix\"><dt>fix</dt><dd>");
    for (size_t i = 0; i < told->fix_count; i++) {
        const struct line_fix *fix = &told->fixes[i];
        text_append(out, fix->before == NULL ? "after " : "");
        html_place(report, out, fix->file, fix->line, 0);
        text_append(out, "<pre class=\"diff\">");
        append_changed(out, "del", fix->before);
        text_append(out, fix->before != NULL && fix->after != NULL ? "\n" : "");
        append_changed(out, "ins", fix->after);
        text_append(out, "</pre>");
    }
    text_append(out, "</dd></div>\n");
}

/* The way to the moment at which it happens, in the page beside this one. */
static void append_step(const struct report *report, const struct report_diagnostic *told,
                        size_t index, struct text *out)
{
    struct step_moment unused;

    if (report->step_page == NULL || report->steps == NULL ||
        !step_moment_find(report->steps, told, &unused)) {
        return;
    }
    text_append(out, "<div class=\"step\"><dt>step</dt><dd><a href=\"");
    html_escape(out, report->step_page);
    text_printf(out, "#d%zu\">Watch it happen, step by step</a></dd></div>\n", index + 1);
}

/* "costs: race-free, tiled; correct, tiled" */
static void append_criteria(const struct report *report, const struct report_diagnostic *told,
                            struct text *out)
{
    if (told->verdict_count == 0) {
        return;
    }
    text_append(out, "<div><dt>criteria</dt><dd>");
    for (size_t i = 0; i < told->verdict_count; i++) {
        size_t index = told->verdicts[i];
        text_printf(out, "%s<a href=\"#c%zu\">", i == 0 ? "" : "; ", index + 1);
        html_escape(out, report->verdicts[index].criterion->title);
        text_append(out, "</a>");
    }
    text_append(out, "</dd></div>\n");
}

static void append_diagnostic(const struct report *report, struct arena *arena, size_t index,
                              struct text *out)
{
    const struct report_diagnostic *told = &report->diagnostics[index];
    const char *style = told->severity == SEVERITY_ERROR ? "error" : "warning";

    text_printf(out,
                "<article id=\"d%zu\" class=\"diagnostic %s\" aria-labelledby=\"d%zu-title\">\n"
                "<h3 id=\"d%zu-title\"><span class=\"code\">",
                index + 1, style, index + 1, index + 1);
    html_code(out, told);
    text_append(out, "</span> ");
    html_sentence(out, told->message);
    text_append(out, "</h3>\n");
    append_places(report, arena, index, out);
    text_append(out, "<dl class=\"notes\">\n");
    append_fix(report, told, out);
    for (size_t i = 0; i < told->note_count; i++) {
        append_note(report, told, &told->notes[i], out);
    }
    append_step(report, told, index, out);
    append_criteria(report, told, out);
    text_append(out, "</dl>\n</article>\n");
}

static void append_left_out(const struct report *report, struct text *out)
{
    struct text text;

    text_init(&text);
    left_out_append(report, &text);
    if (text.length > 0) {
        text_append(out, "<p class=\"lead\">");
        html_sentence(out, text.bytes);
        text_append(out, "</p>\n");
    }
    text_release(&text);
}

static void append_remarks(const struct report *report, struct text *out)
{
    if (report->remark_count == 0) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"remarks\">\n<h2 id=\"remarks\">Remarks</h2>\n"
                     "<p class=\"lead\">These cost no points.</p>\n<ul class=\"remarks\">\n");
    for (size_t i = 0; i < report->remark_count; i++) {
        const struct remark *remark = &report->remarks[i];
        text_append(out, "<li>");
        if (text_or_empty(remark->file)[0] != '\0') {
            html_place(report, out, remark->file, remark->line, remark->column);
            text_append_char(out, ' ');
        }
        html_sentence(out, remark->message);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n</section>\n");
}

void html_diagnostics(const struct report *report, struct arena *arena, struct text *out)
{
    if (report->diagnostic_count > 0) {
        text_append(out, "<section aria-labelledby=\"diagnostics\">\n"
                         "<h2 id=\"diagnostics\">What is wrong</h2>\n");
        for (size_t i = 0; i < report->diagnostic_count; i++) {
            append_diagnostic(report, arena, i, out);
        }
        text_append(out, "</section>\n");
    }
    append_left_out(report, out);
    append_remarks(report, out);
}
