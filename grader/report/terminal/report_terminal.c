/* report_terminal.c: head, rows of criteria, score, diagnostics, remarks; see report_terminal.h.
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
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_COLUMNS = 100,
    LEFT_COLUMNS = 9, /* "   PASS  " */
    TITLE_COLUMNS_MAX = 32,
    SUMMARY_COLUMNS_MIN = 16,
    SUMMARY_COLUMNS_WANTED = 40,
    SUMMARY_COLUMNS_MAX = 90,
    SCREEN_LINES = 40,
    STEP_LINES = 2, /* of append_step */
    FAILING_ROWS_MAX = 12,
    REMARK_INDENT = 8, /* "remark: " */
    NEXT_INDENT = 6,   /* "next: " */
    REMARK_LINES = 2,
    REMARKS_SHOWN = 5,
    DIAGNOSTIC_LINES_WANTED = 20, /* remarks leave room for them */
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

/* One row: a criterion, or several that have nothing to say of their own. */
struct row {
    size_t verdict; /* the first of them */
    size_t count;
    double points, max;
    bool is_bonus;
};

struct row_list {
    struct row *items; /* [count] */
    size_t count;
};

/* What comes first: what is wrong, what passed, what nobody judged. */
static int rank_of(enum status status)
{
    static const int ranks[] = {
        [STATUS_FAILED] = 0, [STATUS_PARTIAL] = 0, [STATUS_ERROR] = 0,
        [STATUS_PASSED] = 1, [STATUS_OPEN] = 2,    [STATUS_SKIPPED] = 3,
    };

    return ranks[status];
}

/* What explains a verdict. */
struct reason {
    size_t diagnostic; /* the number of them if there is none */
    bool is_blocked;
};

static struct reason reason_of(const struct report *report, size_t verdict)
{
    struct reason reason = {report->diagnostic_count, false};

    report_row_reason(report, verdict, &reason.diagnostic, &reason.is_blocked);
    return reason;
}

static bool is_bonus(const struct report *report, size_t verdict)
{
    return report->verdicts[verdict].criterion->bonus;
}

/* True if verdict `left` is shown before `right`: in the order of the diagnostics, whose first one
 * is the first to fix; what a diagnostic blocks comes after what it is about. Of what passed, bonus
 * comes last. */
static bool comes_before(const struct report *report, size_t left, size_t right)
{
    int rank = rank_of(report->verdicts[left].status) - rank_of(report->verdicts[right].status);
    struct reason of_left = reason_of(report, left);
    struct reason of_right = reason_of(report, right);

    if (rank != 0) {
        return rank < 0;
    }
    if (of_left.diagnostic != of_right.diagnostic) {
        return of_left.diagnostic < of_right.diagnostic;
    }
    if (of_left.is_blocked != of_right.is_blocked) {
        return of_right.is_blocked;
    }
    bool has_passed = report->verdicts[left].status == STATUS_PASSED;
    return has_passed && is_bonus(report, left) != is_bonus(report, right) ? is_bonus(report, right)
                                                                           : left < right;
}

static bool same_summary(const struct report *report, size_t left, size_t right)
{
    struct text of_left, of_right;

    text_init(&of_left);
    text_init(&of_right);
    report_append_criterion_summary(report, left, &of_left);
    report_append_criterion_summary(report, right, &of_right);
    bool is_same = strcmp(of_left.bytes, of_right.bytes) == 0;
    text_release(&of_right);
    text_release(&of_left);
    return is_same;
}

/* True if two verdicts, one after the other, share a row: both passed, both were not judged for the
 * same reason, or both are blocked by the same diagnostic. */
static bool share_row(const struct report *report, size_t left, size_t right)
{
    int rank = rank_of(report->verdicts[left].status);
    struct reason of_left = reason_of(report, left);
    struct reason of_right = reason_of(report, right);

    if (rank != rank_of(report->verdicts[right].status) ||
        is_bonus(report, left) != is_bonus(report, right) ||
        of_left.diagnostic != of_right.diagnostic) {
        return false;
    }
    if (of_left.diagnostic < report->diagnostic_count) {
        return of_left.is_blocked && of_right.is_blocked;
    }
    return report->verdicts[left].status == STATUS_PASSED ||
           (rank > 0 && same_summary(report, left, right));
}

static void row_add(struct row *row, const struct verdict *verdict)
{
    row->max += verdict->criterion->points;
    row->points += status_is_judged(verdict->status) ? verdict->points : 0;
    row->count++;
}

/* In the order in which they are shown; if verbose, one for each criterion. */
static struct row_list rows_make(const struct report *report, bool is_verbose)
{
    size_t *order = calloc(report->verdict_count + 1, sizeof *order);
    struct row_list rows = {calloc(report->verdict_count + 1, sizeof *rows.items), 0};

    if (order == NULL || rows.items == NULL) {
        abort();
    }
    for (size_t i = 0; i < report->verdict_count; i++) {
        size_t at = i;
        for (; at > 0 && comes_before(report, i, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (is_verbose || i == 0 || !share_row(report, order[i - 1], order[i])) {
            rows.items[rows.count++] =
                (struct row){.verdict = order[i], .is_bonus = is_bonus(report, order[i])};
        }
        row_add(&rows.items[rows.count - 1], &report->verdicts[order[i]]);
    }
    free(order);
    return rows;
}

static void append_title(const struct report *report, const struct row *row, struct text *out)
{
    if (row->count > 1) {
        text_printf(out, "%zu criteria", row->count);
    } else {
        text_append(out, report->verdicts[row->verdict].criterion->title);
    }
}

static void append_share(const struct report *report, const struct row *row, struct text *out)
{
    text_append(out, row->is_bonus ? "bonus " : "");
    if (!status_is_judged(report->verdicts[row->verdict].status)) {
        text_append_char(out, '-');
    } else {
        append_points(out, row->points);
    }
    text_append_char(out, '/');
    append_points(out, row->max);
}

static void append_summary(const struct report *report, const struct row *row, struct text *out)
{
    struct text summary;

    text_init(&summary);
    if (row->count > 1 && report->verdicts[row->verdict].status == STATUS_PASSED) {
        text_append(&summary, "--verbose lists them");
    } else {
        report_append_criterion_summary(report, row->verdict, &summary);
    }
    display_append_foreign(out, summary.bytes);
    text_release(&summary);
}

/* Widths of the columns, for all rows. */
struct columns {
    size_t title, summary, share;
};

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

static struct columns measure(const struct report *report, const struct row_list *rows, int screen)
{
    struct columns columns = {0, SUMMARY_COLUMNS_WANTED, 0};
    size_t width = screen > 0 ? (size_t)screen : DEFAULT_COLUMNS;
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < rows->count; i++) {
        append_title(report, &rows->items[i], &text);
        columns.title = larger(columns.title, display_width(text.bytes));
        text_clear(&text);
        append_share(report, &rows->items[i], &text);
        columns.share = larger(columns.share, text.length);
        text_clear(&text);
        append_summary(report, &rows->items[i], &text);
        columns.summary = larger(columns.summary, display_width(text.bytes));
        text_clear(&text);
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

static void append_row(const struct report *report, const struct row *row,
                       const struct columns *columns, const struct terminal_style *style,
                       struct text *out)
{
    const struct verdict *verdict = &report->verdicts[row->verdict];
    struct text text;

    text_init(&text);
    text_append(out, "   ");
    report_append_status(verdict->status, style->color, out);
    text_append(out, "  ");
    append_title(report, row, &text);
    display_append_padded(out, text.bytes, columns->title);
    text_append(out, "  ");
    text_clear(&text);
    append_summary(report, row, &text);
    display_append_padded(out, text.bytes, columns->summary);
    text_clear(&text);
    append_share(report, row, &text);
    text_append_repeated(out, ' ', 2 + columns->share - text.length);
    text_append(out, text.bytes);
    text_append_char(out, '\n');
    text_release(&text);
    if (style->verbose) {
        append_facts(verdict->evidence, verdict->evidence_count, out);
        append_facts(verdict->measured, verdict->measured_count, out);
    }
}

/* All rows; of those that are wrong, the first FAILING_ROWS_MAX unless verbose. */
static void append_rows(const struct report *report, const struct terminal_style *style,
                        struct text *out)
{
    struct row_list rows = rows_make(report, style->verbose);
    struct columns columns = measure(report, &rows, style->columns);
    size_t failing = 0;
    size_t left_out = 0;

    for (size_t i = 0; i < rows.count; i++) {
        const struct row *row = &rows.items[i];
        bool is_failing = rank_of(report->verdicts[row->verdict].status) == 0;
        if (is_failing && !style->verbose && ++failing > FAILING_ROWS_MAX) {
            left_out += row->count;
            continue;
        }
        append_row(report, row, &columns, style, out);
    }
    if (left_out > 0) {
        text_printf(out, "   and %zu more with problems; --verbose lists them\n", left_out);
    }
    free(rows.items);
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

/* What to try after full marks, as the rubric says it. */
static void append_next(const struct report *report, const struct terminal_style *style,
                        struct text *out)
{
    const char *next = report_next_step(report);
    struct text text;

    if (next[0] == '\0') {
        return;
    }
    text_init(&text);
    display_append_foreign(&text, next);
    display_paint(out, style->color, PAINT_GOOD, "next");
    text_append(out, ": ");
    struct wrap wrap = {NEXT_INDENT, NEXT_INDENT,
                        style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS,
                        style->verbose ? SIZE_MAX : REMARK_LINES};
    display_append_wrapped(out, text.bytes, &wrap);
    text_append_char(out, '\n');
    text_release(&text);
}

static void append_remark(const struct remark *remark, const struct terminal_style *style,
                          struct text *out)
{
    size_t columns = style->columns > 0 ? (size_t)style->columns : DEFAULT_COLUMNS;
    struct wrap wrap = {REMARK_INDENT, REMARK_INDENT, columns,
                        style->verbose ? SIZE_MAX : REMARK_LINES};
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

static size_t count_lines(const struct text *text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text->length; i++) {
        lines += text->bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
}

/* Appends remarks in at most that many lines, unless verbose; at least how many there are. */
static void append_remarks(const struct report *report, const struct terminal_style *style,
                           size_t lines, struct text *out)
{
    size_t count = report->remark_count;
    size_t shown = 0;
    struct text remark;

    text_append(out, count > 0 ? "\n" : "");
    text_init(&remark);
    for (; shown < count && (style->verbose || shown < REMARKS_SHOWN); shown++) {
        text_clear(&remark);
        append_remark(&report->remarks[shown], style, &remark);
        size_t last = shown + 1 < count ? 1 : 0;
        if (!style->verbose && count_lines(out) + count_lines(&remark) + last > lines) {
            break;
        }
        text_append_bytes(out, remark.bytes, remark.length);
    }
    text_release(&remark);
    if (shown < count) {
        size_t more = count - shown;
        text_printf(out, "%s%zu%s remark%s; --verbose shows %s\n", shown > 0 ? "and " : "", more,
                    shown > 0 ? " more" : "", more == 1 ? "" : "s", more == 1 ? "it" : "them");
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

/* How to look at what a kernel did, if a diagnostic is about that. */
static void append_step(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct finding *finding = report->diagnostics[i].finding;
        enum cause_kind cause = code_cause(report->diagnostics[i].code);
        bool has_moment = cause == CAUSE_RACE || cause == CAUSE_OUT_OF_BOUNDS ||
                          cause == CAUSE_BARRIER || cause == CAUSE_UNINITIALISED;
        if (has_moment && finding != NULL && finding->kernel != NULL &&
            finding->kernel[0] != '\0' && report->diagnostics[i].line > 0 &&
            report->hints != HINTS_NONE) {
            text_append(out, "\ngpugrade step DIR -o block.html replays a block with it, step by "
                             "step\n");
            return;
        }
    }
}

void report_terminal(const struct report *report, const struct terminal_style *style,
                     struct text *out)
{
    size_t wanted = report->diagnostic_count > 0 ? DIAGNOSTIC_LINES_WANTED : 0;
    struct text end, remarks;

    text_init(&end);
    text_init(&remarks);
    append_head(report, style, out);
    append_rows(report, style, out);
    append_score(report, style, out);
    append_next(report, style, out);
    append_left_out(report, style, &end);
    size_t taken = count_lines(out) + count_lines(&end);
    append_remarks(report, style, taken + wanted < SCREEN_LINES ? SCREEN_LINES - taken - wanted : 0,
                   &remarks);
    taken += count_lines(&remarks);
    terminal_diagnostics(report, style, taken < SCREEN_LINES ? SCREEN_LINES - taken : 0, out);
    text_append_bytes(out, end.bytes, end.length);
    text_append_bytes(out, remarks.bytes, remarks.length);
    text_release(&end);
    text_release(&remarks);
    if (style->verbose || count_lines(out) + STEP_LINES <= SCREEN_LINES) {
        append_step(report, out);
    }
    if (style->verbose) {
        terminal_printed(report, style, out);
        append_gpu_note(report, out);
        append_seconds(report, out);
    }
}
