/* plain_words.c: see plain_words.h. */
#include "report/platform/plain_words.h"

#include "report/platform/whole_points.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void plain_append_number(struct text *out, double number, int decimals)
{
    assert(isfinite(number));
    text_printf(out, "%.*f", decimals, fabs(number) < 0.5 * pow(10, -decimals) ? 0.0 : number);
    if (decimals > 0) {
        while (out->bytes[out->length - 1] == '0') {
            out->length--;
        }
        out->length -= out->bytes[out->length - 1] == '.';
        out->bytes[out->length] = '\0';
    }
}

enum { POINT_DECIMALS = 6 }; /* as in a score file: the order of addition does not show */

/* "1 point", "8.5 bonus points" */
static void append_with_unit(struct text *out, double points, const char *unit)
{
    plain_append_number(out, points, POINT_DECIMALS);
    text_printf(out, " %s%s", unit, points == 1 ? "" : "s");
}

void plain_append_points(struct text *out, const struct verdict *verdict)
{
    bool is_measured = verdict_is_measured(verdict);

    if (is_measured) {
        plain_append_number(out, verdict->points, POINT_DECIMALS);
        text_append(out, " of ");
    }
    append_with_unit(out, verdict->criterion->points,
                     verdict->criterion->bonus ? "bonus point" : "point");
    text_append(out, is_measured ? "" : ", not measured");
}

void plain_append_score(struct text *out, const struct report *report)
{
    double measurable = report_measurable_max(report);
    double unmeasured = report_max_score(report) - measurable;

    plain_append_number(out, report_score(report), POINT_DECIMALS);
    text_append(out, " of ");
    append_with_unit(out, measurable, "point");
    if (unmeasured > 0) {
        text_append(out, "; ");
        plain_append_number(out, unmeasured, POINT_DECIMALS);
        text_append(out, unmeasured == 1 ? " more was not measured" : " more were not measured");
    }
    if (report_bonus(report) > 0) {
        text_append(out, "; includes ");
        append_with_unit(out, report_bonus(report), "bonus point");
    }
}

const char *plain_why(const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->measured_count; i++) {
        const struct evidence *fact = &verdict->measured[i];
        if (fact->type == EVIDENCE_TEXT && strcmp(fact->key, "why") == 0) {
            return text_or_empty(fact->text);
        }
    }
    return verdict->cause.code == CODE_NONE ? "" : text_or_empty(verdict->cause.message);
}

double plain_seconds(const struct report *report)
{
    for (size_t i = 0; i < report->seconds_count; i++) {
        if (strcmp(report->seconds[i].name, "total") == 0) {
            return report->seconds[i].seconds;
        }
    }
    return 0;
}

const struct report_diagnostic *plain_diagnostic(const struct report *report, size_t index,
                                                 size_t *out_first)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &report->diagnostics[i];
        for (size_t j = 0; j < diagnostic->verdict_count; j++) {
            if (diagnostic->verdicts[j] == index) {
                *out_first = diagnostic->verdicts[0];
                return diagnostic;
            }
        }
    }
    return NULL;
}

void plain_append_place(struct text *out, const struct emit_options *options, const char *file,
                        int line, int column)
{
    if (text_or_empty(file)[0] == '\0') {
        return;
    }
    text_append(out, options->path_prefix);
    text_append(out, file);
    if (line > 0) {
        text_printf(out, ":%d", line);
    }
    if (line > 0 && column > 0) {
        text_printf(out, ":%d", column);
    }
}

void plain_append_headline(struct text *out, const struct report_diagnostic *diagnostic)
{
    text_append(out, diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
    if (diagnostic->code != CODE_NONE) {
        text_printf(out, "[%s]", code_id(diagnostic->code));
    }
    text_append(out, ": ");
    text_append(out, text_or_empty(diagnostic->message));
}

/* The marks that say something of their own; the main one only repeats the place. */
static void append_marks(struct text *out, const struct emit_options *options,
                         const struct report_diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (text_or_empty(mark->label)[0] == '\0') {
            continue;
        }
        text_append(out, "  ");
        plain_append_place(out, options, mark->file, mark->line, mark->column);
        text_append(out, ": ");
        text_append(out, mark->label);
        text_append_char(out, '\n');
    }
}

void plain_append_diagnostic(struct text *out, const struct emit_options *options,
                             const struct report_diagnostic *diagnostic)
{
    plain_append_headline(out, diagnostic);
    text_append_char(out, '\n');
    if (text_or_empty(diagnostic->file)[0] != '\0') {
        text_append(out, "  at ");
        plain_append_place(out, options, diagnostic->file, diagnostic->line, diagnostic->column);
        text_append_char(out, '\n');
    }
    append_marks(out, options, diagnostic);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        text_append(out, "  ");
        text_append(out, note_kind_name(diagnostic->notes[i].kind));
        text_append(out, ": ");
        text_append(out, text_or_empty(diagnostic->notes[i].text));
        text_append_char(out, '\n');
    }
}

void plain_append_remark(struct text *out, const struct emit_options *options,
                         const struct remark *remark)
{
    text_append(out, "remark: ");
    plain_append_place(out, options, remark->file, remark->line, remark->column);
    text_append(out, text_or_empty(remark->file)[0] != '\0' ? ": " : "");
    text_append(out, text_or_empty(remark->message));
    text_append_char(out, '\n');
}
