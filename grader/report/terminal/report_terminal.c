/* report_terminal.c: head, one row for each criterion, score, diagnostics, remarks; see
 * report_terminal.h.
 *
 * Rows are "   PASS  title  summary  points": titles and points take the width of the longest one,
 * the summary takes what is left of the screen, at most SUMMARY_COLUMNS_MAX.
 */
#include "report/terminal/report_terminal.h"

#include "model/criterion_summary.h"
#include "report/display_text.h"
#include "report/left_out.h"
#include "report/terminal/printed_terminal.h"
#include "report/terminal/terminal_diagnostic.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_COLUMNS = 100,
    LEFT_COLUMNS = 9, /* "   PASS  " */
    TITLE_COLUMNS_MAX = 32,
    SUMMARY_COLUMNS_MIN = 16,
    SUMMARY_COLUMNS_WANTED = 40,
    SUMMARY_COLUMNS_MAX = 90,
    SCREEN_LINES = 40,
    REMARK_INDENT = 8, /* "remark: " */
    REMARKS_SHOWN = 5,
};

static const struct {
    const char *word;
    enum paint paint;
} words[] = {
    [STATUS_PASSED] = {"PASS", PAINT_GOOD}, [STATUS_PARTIAL] = {"PART", PAINT_PART},
    [STATUS_FAILED] = {"FAIL", PAINT_BAD},  [STATUS_SKIPPED] = {"SKIP", PAINT_SKIP},
    [STATUS_ERROR] = {"ERR ", PAINT_BAD},   [STATUS_OPEN] = {"OPEN", PAINT_SKIP},
};

void report_append_status(enum status status, bool color, struct text *out)
{
    display_paint(out, color, words[status].paint, words[status].word);
}

/* Appends points without needless digits: 5, 6.67. */
static void append_points(struct text *out, double points)
{
    double cents = round(points * 100);

    if (fmod(cents, 100) == 0) {
        text_printf(out, "%.0f", cents / 100);
    } else if (fmod(cents, 10) == 0) {
        text_printf(out, "%.1f", cents / 100);
    } else {
        text_printf(out, "%.2f", cents / 100);
    }
}

static void append_share(struct text *out, const struct verdict *verdict)
{
    text_append(out, verdict->criterion->bonus ? "bonus " : "");
    if (!status_is_judged(verdict->status)) {
        text_append_char(out, '-');
    } else {
        append_points(out, verdict->points);
    }
    text_append_char(out, '/');
    append_points(out, verdict->criterion->points);
}

/* Widths of the columns, for all rows. */
struct columns {
    size_t title, summary, share;
};

static void append_summary(const struct report *report, size_t index, struct text *out)
{
    struct text summary;

    text_init(&summary);
    report_append_criterion_summary(report, index, &summary);
    display_append_foreign(out, summary.bytes);
    text_release(&summary);
}

static struct columns measure(const struct report *report, int screen)
{
    struct columns columns = {0, SUMMARY_COLUMNS_WANTED, 0};
    size_t width = screen > 0 ? (size_t)screen : DEFAULT_COLUMNS;
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        size_t title = display_width(verdict->criterion->title);
        text_clear(&text);
        append_share(&text, verdict);
        size_t share = text.length;
        text_clear(&text);
        append_summary(report, i, &text);
        size_t summary = display_width(text.bytes);
        columns.title = title > columns.title ? title : columns.title;
        columns.summary = summary > columns.summary ? summary : columns.summary;
        columns.share = share > columns.share ? share : columns.share;
    }
    text_release(&text);
    if (columns.title > TITLE_COLUMNS_MAX) {
        columns.title = TITLE_COLUMNS_MAX;
    }
    if (columns.summary > SUMMARY_COLUMNS_MAX) {
        columns.summary = SUMMARY_COLUMNS_MAX;
    }
    size_t taken = LEFT_COLUMNS + columns.title + 2 + 2 + columns.share;
    if (taken + columns.summary > width) {
        columns.summary = width > taken + SUMMARY_COLUMNS_MIN ? width - taken : SUMMARY_COLUMNS_MIN;
    }
    return columns;
}

static void append_facts(const struct evidence *facts, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct evidence *fact = &facts[i];
        text_append_repeated(out, ' ', LEFT_COLUMNS);
        text_printf(out, "%s: ", fact->key);
        switch (fact->type) {
        case EVIDENCE_TEXT:
            display_append_foreign(out, fact->text);
            break;
        case EVIDENCE_NUMBER:
            text_printf(out, "%.6g", fact->number);
            break;
        case EVIDENCE_INTEGER:
            text_printf(out, "%" PRId64, fact->integer);
            break;
        case EVIDENCE_BOOLEAN:
            text_append(out, fact->integer != 0 ? "yes" : "no");
            break;
        }
        text_append_char(out, '\n');
    }
}

static void append_row(const struct report *report, size_t index, const struct columns *columns,
                       const struct terminal_style *style, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];
    struct text text;

    text_init(&text);
    text_append(out, "   ");
    report_append_status(verdict->status, style->color, out);
    text_append(out, "  ");
    display_append_padded(out, verdict->criterion->title, columns->title);
    text_append(out, "  ");
    append_summary(report, index, &text);
    display_append_padded(out, text.bytes, columns->summary);
    text_clear(&text);
    append_share(&text, verdict);
    text_append_repeated(out, ' ', 2 + columns->share - text.length);
    text_append(out, text.bytes);
    text_append_char(out, '\n');
    text_release(&text);
    if (style->verbose) {
        append_facts(verdict->evidence, verdict->evidence_count, out);
        append_facts(verdict->measured, verdict->measured_count, out);
    }
}

static void append_head(const struct report *report, const struct terminal_style *style,
                        struct text *out)
{
    struct text command;

    text_init(&command);
    display_append_foreign(&command, report->again);
    display_paint(out, style->color, PAINT_STRONG, command.bytes);
    text_release(&command);
    text_printf(out, " \xE2\x80\x94 %s, rubric %" PRId64 ", ", report->rubric->id,
                report->rubric->version);
    for (size_t i = 0; i < report->device_count; i++) {
        text_printf(out, "%s%s ", i == 0 ? "" : " and ", report->devices[i].kind);
        display_append_foreign(out, report->devices[i].gpu_model);
    }
    text_printf(out, ", seed 0x%" PRIx64 "\n", report->seed);
    if (report->sandbox.note[0] != '\0') {
        text_printf(out, "   note  sandbox %s: ", report->sandbox.tier);
        display_append_foreign(out, report->sandbox.note);
        text_append_char(out, '\n');
    }
}

/* True if all that is skipped is a speed, and there is no GPU. */
static bool lacks_gpu(const struct report *report)
{
    for (size_t i = 0; i < report->device_count; i++) {
        if (strcmp(report->devices[i].kind, "cuda") == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->status == STATUS_SKIPPED && verdict->criterion->needs_reference) {
            return false;
        }
    }
    return true;
}

/* "; 5 more points are ", where `points` are more than none. */
static void append_more(double points, const char *one, const char *several, const char *rest,
                        bool *is_first, struct text *out)
{
    if (points <= 0) {
        return;
    }
    text_append(out, *is_first ? " (" : "; ");
    append_points(out, points);
    text_printf(out, "%s%s", points == 1 ? one : several, rest);
    *is_first = false;
}

static void append_ungraded(const struct report *report, struct text *out)
{
    const double skipped = report_points_with(report, STATUS_SKIPPED);
    bool is_first = true;

    if (lacks_gpu(report)) {
        append_more(skipped, " more point needs", " more points need", " a GPU", &is_first, out);
    } else {
        append_more(skipped, " more point", " more points", " can't be measured here", &is_first,
                    out);
    }
    append_more(report_points_with(report, STATUS_OPEN), " more point is", " more points are",
                " given by a person", &is_first, out);
    append_more(report_points_with(report, STATUS_ERROR), " more point was", " more points were",
                " not graded because the grader or the machine failed", &is_first, out);
    text_append(out, is_first ? "" : ")");
}

static void append_score(const struct report *report, const struct terminal_style *style,
                         struct text *out)
{
    struct text score;

    text_init(&score);
    text_append(&score, "Score ");
    append_points(&score, report_score(report));
    text_append_char(&score, '/');
    append_points(&score, report_measurable_max(report));
    display_paint(out, style->color, PAINT_STRONG, score.bytes);
    text_release(&score);
    append_ungraded(report, out);
    text_append_char(out, '\n');
    if (report_wants_review(report)) {
        text_append(out, "Needs a review: it uses something that gpugrade does not know\n");
    }
}

static void append_remark(const struct remark *remark, const struct terminal_style *style,
                          struct text *out)
{
    size_t columns = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
    struct wrap wrap = {REMARK_INDENT, REMARK_INDENT, columns, style->verbose ? SIZE_MAX : 2};
    struct text text;

    text_init(&text);
    if (remark->file != NULL && remark->file[0] != '\0') {
        display_append_foreign(&text, remark->file);
        text_append_char(&text, ':');
        if (remark->line > 0) {
            text_printf(&text, "%d:", remark->line);
        }
        text_append_char(&text, ' ');
    }
    display_append_foreign(&text, remark->message);
    display_paint(out, style->color, PAINT_SKIP, "remark");
    text_append(out, ": ");
    display_append_wrapped(out, text.bytes, &wrap);
    text_append_char(out, '\n');
    text_release(&text);
}

static void append_remarks(const struct report *report, const struct terminal_style *style,
                           struct text *out)
{
    size_t shown = report->remark_count;

    if (!style->verbose && shown > REMARKS_SHOWN) {
        shown = REMARKS_SHOWN;
    }
    if (shown > 0) {
        text_append_char(out, '\n');
    }
    for (size_t i = 0; i < shown; i++) {
        append_remark(&report->remarks[i], style, out);
    }
    if (shown < report->remark_count) {
        text_printf(out, "and %zu more remarks; --verbose shows them\n",
                    report->remark_count - shown);
    }
}

static void append_left_out(const struct report *report, const struct terminal_style *style,
                            struct text *out)
{
    size_t columns = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
    struct wrap wrap = {0, 0, columns, SIZE_MAX};
    struct text text;

    text_init(&text);
    left_out_append(report, &text);
    if (text.length > 0) {
        text_append_char(out, '\n');
        display_append_wrapped(out, text.bytes, &wrap);
        text_append_char(out, '\n');
    }
    text_release(&text);
}

static size_t count_lines(const struct text *text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text->length; i++) {
        lines += text->bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
}

static void append_gpu_note(const struct report *report, struct text *out)
{
    if (report->gpu_note != NULL && report->gpu_note[0] != '\0') {
        text_append(out, "\nno GPU: ");
        display_append_foreign(out, report->gpu_note);
        text_append_char(out, '\n');
    }
}

static void append_seconds(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->seconds_count; i++) {
        text_printf(out, "%s%s %.2f s", i == 0 ? "\ntimes: " : ", ", report->seconds[i].name,
                    report->seconds[i].seconds);
    }
    if (report->seconds_count > 0) {
        text_append_char(out, '\n');
    }
}

void report_terminal(const struct report *report, const struct terminal_style *style,
                     struct text *out)
{
    struct columns columns = measure(report, style->columns);
    struct text remarks;

    text_init(&remarks);
    append_remarks(report, style, &remarks);
    append_head(report, style, out);
    for (size_t i = 0; i < report->verdict_count; i++) {
        append_row(report, i, &columns, style, out);
    }
    append_score(report, style, out);
    size_t taken = count_lines(out) + count_lines(&remarks);
    terminal_diagnostics(report, style, taken < SCREEN_LINES ? SCREEN_LINES - taken : 0, out);
    append_left_out(report, style, out);
    text_append_bytes(out, remarks.bytes, remarks.length);
    text_release(&remarks);
    if (style->verbose) {
        terminal_printed(report, style, out);
        append_gpu_note(report, out);
        append_seconds(report, out);
    }
}
