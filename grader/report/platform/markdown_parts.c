/* markdown_parts.c: see markdown_parts.h.
 *
 * Each part is written by itself and appended if it fits; the foot and the words about what is left
 * out have their room reserved. So the order is that of importance, and a cut is never inside of
 * anything.
 */
#include "report/platform/markdown_parts.h"

#include "report/escape.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"

#include <inttypes.h>
#include <string.h>

enum {
    TEXT_BYTES_MAX = 2000, /* of one text before it is escaped */
    TITLE_BYTES_MAX = 200,
    MARKS_MAX = 20, /* lines about places of a diagnostic */
    DEVICES_MAX = 8,
    SHORTENED_BYTES = 400, /* room for the words about what is left out */
    TABLE_PART = 2,        /* the table takes half of the room at most */
};

/* What is written, and how much more of it may be. */
struct page {
    const struct report *report;
    const struct emit_options *options;
    const struct markdown_style *style;
    struct text *out;
    size_t start, end; /* `out` may grow from the one length to the other */
};

static bool page_add(struct page *page, const struct text *part, size_t end)
{
    if (part->length > end || page->out->length > end - part->length) {
        return false;
    }
    text_append_bytes(page->out, part->bytes, part->length);
    return true;
}

/* What a course or the grader calls something: as it is where that is plain. */
static void append_title(struct text *out, const char *string)
{
    struct text text, prose;

    text_init(&text);
    text_init(&prose);
    emit_append_shortened(&text, text_or_empty(string), TITLE_BYTES_MAX);
    escape_markdown_prose(text.bytes, text.length, &prose);
    if (strchr(prose.bytes, '`') == NULL) {
        text_append_bytes(out, prose.bytes, prose.length);
    } else {
        escape_markdown(text.bytes, text.length, out);
    }
    text_release(&prose);
    text_release(&text);
}

static void append_prose(struct text *out, const char *string)
{
    struct text text;

    text_init(&text);
    emit_append_shortened(&text, text_or_empty(string), TEXT_BYTES_MAX);
    escape_markdown_prose(text.bytes, text.length, out);
    text_release(&text);
}

static void append_code(struct text *out, const char *string)
{
    struct text text;

    text_init(&text);
    emit_append_shortened(&text, text_or_empty(string), TEXT_BYTES_MAX);
    escape_markdown_code(text.bytes, text.length, out);
    text_release(&text);
}

static void append_count(struct text *out, size_t count, const char *what)
{
    text_printf(out, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

static void append_head(const struct report *report, struct text *out)
{
    const char *name = text_or_empty(report->submission_name);
    bool is_named = name[0] != '\0' && strcmp(name, ".") != 0;

    text_append(out, "## ");
    append_title(out, report->rubric->id);
    text_append(out, ": ");
    plain_append_number(out, report_score(report), 2);
    text_append(out, " of ");
    plain_append_number(out, report_measurable_max(report), 2);
    text_append(out, " points\n\n");
    if (is_named) {
        text_append(out, "Submission ");
        append_code(out, name);
        text_append(out, ": ");
    }
    plain_append_score(out, report);
    text_append(out, ".\n\n");
}

/* "`R01` race" of its diagnostic, why it was not graded, nothing for a pass. */
static void append_reason(const struct report *report, size_t index, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];
    enum code code = verdict->cause.code;

    if (verdict->status == STATUS_SKIPPED) {
        text_append(out, "not measured here, costs nothing");
    } else if (verdict->status == STATUS_ERROR) {
        text_append(out, "could not be graded, costs nothing");
    } else if (verdict->status == STATUS_OPEN) {
        text_append(out, "a person gives these points");
    } else if (verdict->status != STATUS_PASSED && code != CODE_NONE) {
        text_printf(out, "`%s` %s", code_id(code), cause_title(code_cause(code)));
    }
    size_t dependency = emit_dependency(report, index);
    if (dependency != SIZE_MAX) {
        text_append(out, ", because of \"");
        append_title(out, emit_title(&report->verdicts[dependency]));
        text_append_char(out, '"');
    }
}

static void append_row(const struct report *report, size_t index, struct text *out)
{
    static const char *const words[] = {
        [STATUS_PASSED] = "\xE2\x9C\x93 passed",   /* U+2713 */
        [STATUS_PARTIAL] = "\xE2\x97\x90 partial", /* U+25D0 */
        [STATUS_FAILED] = "\xE2\x9C\x97 failed",   /* U+2717 */
        [STATUS_SKIPPED] = "\xE2\x80\x93 skipped", /* U+2013 */
        [STATUS_ERROR] = "\xE2\x9A\xA0 error",     /* U+26A0 */
        [STATUS_OPEN] = "\xE2\x97\x8B open",       /* U+25CB */
    };
    const struct verdict *verdict = &report->verdicts[index];

    text_printf(out, "| %s | ", words[verdict->status]);
    append_title(out, emit_title(verdict));
    text_append(out, " | ");
    if (verdict_is_measured(verdict)) {
        plain_append_number(out, verdict->points, 2);
    } else {
        text_append_char(out, '-');
    }
    text_append(out, " of ");
    plain_append_number(out, verdict->criterion->points, 2);
    text_append(out, verdict->criterion->bonus ? " bonus | " : " | ");
    append_reason(report, index, out);
    text_append(out, " |\n");
}

static void add_table(struct page *page)
{
    const struct report *report = page->report;
    size_t end = page->start + (page->end - page->start) / TABLE_PART;
    struct text row;
    size_t i = 0;

    text_append(page->out, "| Result | Criterion | Points | Why |\n|:--|:--|--:|:--|\n");
    text_init(&row);
    for (; i < report->verdict_count; i++) {
        text_clear(&row);
        append_row(report, i, &row);
        if (!page_add(page, &row, end)) {
            break;
        }
    }
    text_release(&row);
    if (i < report->verdict_count) {
        text_printf(page->out, "\n**Shortened:** %zu of %zu criteria are not shown here; see %s.\n",
                    report->verdict_count - i, report->verdict_count, page->style->elsewhere);
    }
    text_append_char(page->out, '\n');
}

/* The words that say which diagnostic it is; none of them is a student's. */
static void append_name(const struct report_diagnostic *diagnostic, struct text *out)
{
    text_append(out, diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
    if (diagnostic->code == CODE_NONE) {
        text_append(out, ": could not be graded");
    } else {
        text_printf(out, " %s: %s", code_id(diagnostic->code),
                    cause_title(code_cause(diagnostic->code)));
    }
}

/* In HTML, which a blank line would end. */
static void append_summary(const struct report_diagnostic *diagnostic,
                           const struct emit_options *options, bool is_open, struct text *out)
{
    struct text place;

    text_init(&place);
    emit_append_place(&place, options, diagnostic->file, diagnostic->line, diagnostic->column);
    text_printf(out, "<details%s>\n<summary><b>", is_open ? " open" : "");
    append_name(diagnostic, out);
    text_append(out, "</b>");
    if (place.length > 0) {
        text_append(out, " in <code>");
        escape_html(place.bytes, place.length, out);
        text_append(out, "</code>");
    }
    text_append(out, "</summary>\n\n");
    text_release(&place);
}

static void append_heading(const struct report_diagnostic *diagnostic,
                           const struct emit_options *options, struct text *out)
{
    struct text place;

    text_init(&place);
    emit_append_place(&place, options, diagnostic->file, diagnostic->line, diagnostic->column);
    text_append(out, "#### ");
    append_name(diagnostic, out);
    text_append(out, place.length > 0 ? " in " : "");
    escape_markdown_code(place.bytes, place.length, out);
    text_append(out, "\n\n");
    text_release(&place);
}

static void append_marks(const struct report_diagnostic *diagnostic,
                         const struct emit_options *options, struct text *out)
{
    struct text place;
    size_t shown = 0;

    text_init(&place);
    for (size_t i = 0; i < diagnostic->mark_count && shown < MARKS_MAX; i++, shown++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        text_clear(&place);
        emit_append_place(&place, options, mark->file, mark->line, mark->column);
        text_append(out, "- ");
        escape_markdown_code(place.bytes, place.length, out);
        if (text_or_empty(mark->label)[0] != '\0') {
            text_append(out, ": ");
            append_prose(out, mark->label);
        }
        text_append_char(out, '\n');
    }
    if (shown < diagnostic->mark_count) {
        text_append(out, "- ");
        append_count(out, diagnostic->mark_count - shown, "more place");
        text_append_char(out, '\n');
    }
    text_release(&place);
}

static void append_notes(const struct report_diagnostic *diagnostic, struct text *out)
{
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        const struct diagnostic_note *note = &diagnostic->notes[i];
        text_printf(out, "- **%s:** ", note_kind_name(note->kind));
        if (note->kind == NOTE_AGAIN || note->kind == NOTE_EXPLAIN) {
            append_code(out, note->text);
        } else {
            append_prose(out, note->text);
        }
        text_append_char(out, '\n');
    }
}

static void append_diagnostic(const struct page *page, size_t index, struct text *out)
{
    const struct report_diagnostic *diagnostic = &page->report->diagnostics[index];
    bool is_folding = page->style->is_folding;

    if (is_folding) {
        append_summary(diagnostic, page->options, index < page->style->unfolded, out);
    } else {
        append_heading(diagnostic, page->options, out);
    }
    append_prose(out, diagnostic->message);
    text_append(out, diagnostic->mark_count + diagnostic->note_count > 0 ? "\n\n" : "\n");
    append_marks(diagnostic, page->options, out);
    append_notes(diagnostic, out);
    text_append(out, is_folding ? "\n</details>\n\n" : "\n");
}

static void append_found(const struct report *report, struct text *out)
{
    size_t errors = 0;

    for (size_t i = 0; i < report->diagnostic_count; i++) {
        errors += report->diagnostics[i].severity == SEVERITY_ERROR ? 1 : 0;
    }
    text_append(out, "### ");
    append_count(out, errors, "error");
    text_append(out, " and ");
    append_count(out, report->diagnostic_count - errors, "warning");
    text_append(out, "\n\n");
}

/* Returns how many of them did not fit. */
static size_t add_diagnostics(struct page *page)
{
    size_t count = page->report->diagnostic_count;
    struct text part;
    size_t i = 0;

    if (count == 0) {
        text_append(page->out, "No error and no warning was found.\n\n");
        return 0;
    }
    text_init(&part);
    append_found(page->report, &part);
    bool fits = page_add(page, &part, page->end);
    for (; i < count && fits; i += fits ? 1 : 0) {
        text_clear(&part);
        append_diagnostic(page, i, &part);
        fits = page_add(page, &part, page->end);
    }
    text_release(&part);
    return count - i;
}

static void append_remark(const struct page *page, size_t index, struct text *out)
{
    const struct remark *remark = &page->report->remarks[index];
    struct text place;

    text_init(&place);
    emit_append_place(&place, page->options, remark->file, remark->line, remark->column);
    text_append(out, "- ");
    escape_markdown_code(place.bytes, place.length, out);
    text_append(out, place.length > 0 ? ": " : "");
    append_prose(out, remark->message);
    text_append_char(out, '\n');
    text_release(&place);
}

static size_t add_remarks(struct page *page)
{
    size_t count = page->report->remark_count;
    struct text part;
    size_t i = 0;

    if (count == 0) {
        return 0;
    }
    text_init(&part);
    text_append(&part, "### ");
    append_count(&part, count, "remark");
    text_append(&part, " that cost no marks\n\n");
    bool fits = page_add(page, &part, page->end);
    for (; i < count && fits; i += fits ? 1 : 0) {
        text_clear(&part);
        append_remark(page, i, &part);
        fits = page_add(page, &part, page->end);
    }
    text_append_char(page->out, '\n'); /* its room is reserved with the words about the rest */
    text_release(&part);
    return count - i;
}

static void add_left_out(struct page *page, size_t diagnostics, size_t remarks)
{
    if (diagnostics + remarks > 0) {
        text_printf(page->out,
                    "**Shortened:** %zu of %zu errors and warnings and %zu of %zu remarks are not "
                    "shown here; see %s.\n\n",
                    diagnostics, page->report->diagnostic_count, remarks,
                    page->report->remark_count, page->style->elsewhere);
    }
}

static void append_devices(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->device_count && i < DEVICES_MAX; i++) {
        text_append(out, ", ");
        append_title(out, report->devices[i].kind);
        text_append_char(out, ' ');
        append_title(out, report->devices[i].gpu_model);
    }
}

/* "gpugrade 0.1.0, nvcc 13.0, emulated H200, sandbox A, rubric 1, seed 0x5eed1234" */
static void append_foot(const struct report *report, struct text *out)
{
    text_append(out, "gpugrade ");
    append_title(out, report->grader_version);
    text_append(out, ", ");
    append_title(out, report->compiler);
    append_devices(report, out);
    if (text_or_empty(report->sandbox.tier)[0] != '\0') {
        text_append(out, ", sandbox ");
        append_title(out, report->sandbox.tier);
    }
    if (text_or_empty(report->sandbox.note)[0] != '\0') {
        text_append(out, " (");
        append_title(out, report->sandbox.note);
        text_append_char(out, ')');
    }
    text_printf(out, ", rubric version %" PRId64 ", seed 0x%" PRIx64 ".\n",
                (int64_t)report->rubric->version, report->seed);
}

void markdown_report(const struct report *report, const struct emit_options *options,
                     const struct markdown_style *style, struct text *out)
{
    struct page page = {report, options, style, out, out->length, 0};
    struct text foot;

    text_init(&foot);
    append_foot(report, &foot);
    page.end = page.start + style->bytes_max - foot.length - SHORTENED_BYTES;
    append_head(report, out);
    add_table(&page);
    size_t diagnostics = add_diagnostics(&page);
    size_t remarks = add_remarks(&page);
    add_left_out(&page, diagnostics, remarks);
    text_append_bytes(out, foot.bytes, foot.length);
    text_release(&foot);
}
