/* criterion_text.c: see criterion_text.h. */
#include "report/platform/criterion_text.h"

#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"

#include <string.h>

/* What is said of a criterion that was not judged: behind its name, before the reason, and after
 * it. */
static const struct {
    const char *name, *lead, *rest;
} unmeasured[STATUSES] = {
    [STATUS_PASSED] = {"", "", ""},
    [STATUS_PARTIAL] = {"", "", ""},
    [STATUS_FAILED] = {"", "", ""},
    [STATUS_SKIPPED] = {" (not measured here)",
                        "not measured here: ", "\nthis costs no points here and earns none\n"},
    [STATUS_ERROR] = {" (not graded)", "not graded: ",
                      "\nyour submission is not at fault; hand it in again, or tell your "
                      "instructor\n"},
    [STATUS_OPEN] = {" (open)", "open: ", "\nthis costs no points until then\n"},
};

/* Appends a text that was put together, bounded and printable. */
static void append_bounded(const struct criterion_text *text, const struct text *from,
                           bool keep_lines, struct text *out)
{
    struct text shortened;

    text_init(&shortened);
    emit_append_shortened(&shortened, from->bytes, text->limit);
    text_append_printable(out, shortened.bytes, shortened.length, keep_lines);
    text_release(&shortened);
}

void criterion_text_name(const struct criterion_text *text, const struct verdict *verdict,
                         struct text *out)
{
    struct text title;

    text_init(&title);
    text_append(&title, emit_title(verdict));
    append_bounded(text, &title, false, out);
    text_release(&title);
    if (verdict->criterion->bonus) {
        text_append(out, " (bonus)");
    }
    text_append(out, unmeasured[verdict->status].name);
}

static void append_unmeasured(const struct verdict *verdict, struct text *lines)
{
    text_append(lines, unmeasured[verdict->status].lead);
    text_append(lines, emit_why(verdict));
    text_append(lines, unmeasured[verdict->status].rest);
}

/* A cause without a diagnostic: what a score of an instructor's leaves of it. */
static void append_cause(const struct criterion_text *text, const struct verdict *verdict,
                         struct text *lines)
{
    const struct cause *cause = &verdict->cause;

    if (text_or_empty(cause->file)[0] != '\0') {
        plain_append_place(lines, text->options, cause->file, cause->line, cause->column);
        text_append(lines, ": ");
    }
    text_append(lines, emit_why(verdict));
    text_append(lines, "\n");
    if (text_or_empty(cause->hint)[0] != '\0') {
        text_append(lines, "hint: ");
        text_append(lines, cause->hint);
        text_append(lines, "\n");
    }
}

/* The rest of a cause that was told in full at another criterion. */
static void append_shared(const struct criterion_text *text, const struct verdict *verdict,
                          const struct report_diagnostic *diagnostic, struct text *lines)
{
    const struct verdict *first = &text->report->verdicts[diagnostic->verdicts[0]];
    const char *why = emit_why(verdict);

    if (strcmp(why, text_or_empty(diagnostic->message)) != 0) {
        text_append(lines, why);
        text_append(lines, "\n");
    }
    plain_append_headline(lines, diagnostic);
    text_append(lines, "\n");
    if (text_or_empty(diagnostic->file)[0] != '\0') {
        text_append(lines, "  at ");
        plain_append_place(lines, text->options, diagnostic->file, diagnostic->line,
                           diagnostic->column);
        text_append(lines, "\n");
    }
    text_printf(lines, "see \"%s\" for details\n", emit_title(first));
}

void criterion_text_details(const struct criterion_text *text, size_t index, struct text *out)
{
    const struct verdict *verdict = &text->report->verdicts[index];
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(text->report, index, &first);
    struct text lines;

    if (verdict->status == STATUS_PASSED) {
        return;
    }
    text_init(&lines);
    if (!verdict_is_measured(verdict)) {
        append_unmeasured(verdict, &lines);
    } else if (diagnostic == NULL) {
        append_cause(text, verdict, &lines);
    } else if (first == index) {
        plain_append_diagnostic(&lines, text->options, diagnostic);
    } else {
        append_shared(text, verdict, diagnostic, &lines);
    }
    append_bounded(text, &lines, true, out);
    text_release(&lines);
}

void criterion_text_overview(const struct criterion_text *text, struct text *out)
{
    const struct report *report = text->report;
    struct text lines;

    text_init(&lines);
    plain_append_score(&lines, report);
    text_append(&lines, "\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (!verdict_is_measured(verdict)) {
            text_append(&lines, unmeasured[verdict->status].lead);
            text_append(&lines, emit_title(verdict));
            text_append(&lines, ", ");
            plain_append_number(&lines, verdict->criterion->points, 2);
            text_printf(&lines, " point%s: ", verdict->criterion->points == 1 ? "" : "s");
            text_append(&lines, emit_why(verdict));
            text_append(&lines, "\n");
        }
    }
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (report->diagnostics[i].verdict_count == 0) {
            text_append(&lines, "\n");
            plain_append_diagnostic(&lines, text->options, &report->diagnostics[i]);
        }
    }
    append_bounded(text, &lines, true, out);
    text_release(&lines);
}
