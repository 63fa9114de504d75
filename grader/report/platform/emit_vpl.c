/* emit_vpl.c: a score as the output of an evaluation in Moodle's VPL (Virtual Programming Lab), to
 * be printed by vpl_execution as it is:
 *
 *     Comment :=>>-Score: 62 of 85 points; 15 more were not measured
 *     <|--
 *     -compile: passed, 5 of 5 points
 *     -race-free, tiled: failed, 0 of 10 points
 *     error[R01]: shared array `Bs` is read while other threads still write it
 *       at exercise1_tiled.cu:31:13
 *     --|>
 *
 *     Grade :=>>72.94118
 *
 * What VPL's proposedcomment() and result_to_html() make of it: a line behind "Comment :=>>", and
 * each line between <|-- and --|>, is a comment; one that starts with - is the title of those below
 * it, "file:line" becomes a link to the student's line. The grade is the last line that starts with
 * "Grade :=>>". Every foreign line is made harmless by escape_vpl_line, so none can be such a line.
 *
 * The grade is what was earned of what this machine could measure, in percent, 100 at most (points
 * on top cannot lead beyond). VPL wants it between the activity's two marks, which only its scripts
 * know (VPL_GRADEMIN, VPL_GRADEMAX): docker/vpl puts it there. No grade is printed where the grader
 * or the machine failed at a criterion, or where nothing was measured: nobody gets less, or more,
 * for what is not his fault.
 */
#include "report/platform/emit_format.h"

#include "report/escape.h"
#include "report/platform/plain_words.h"

#include <math.h>
#include <string.h>

enum { GRADE_DECIMALS = 5 }; /* as many as Moodle keeps */

/* Appends text as lines of a comment, each made harmless. */
static void append_lines(struct text *out, const struct text *words)
{
    for (size_t at = 0; at < words->length;) {
        size_t length = strcspn(words->bytes + at, "\n");
        escape_vpl_line(words->bytes + at, length, out);
        text_append_char(out, '\n');
        at += length + 1;
    }
}

/* The title of a criterion's comment. It ends in a word, as VPL would take a number in brackets
 * there for what is taken off. */
static void append_title(struct text *out, const struct verdict *verdict)
{
    struct text words;

    text_init(&words);
    text_printf(&words, "%s: %s, ", verdict->criterion->title, status_name(verdict->status));
    plain_append_points(&words, verdict);
    text_append_char(out, '-');
    escape_vpl_line(words.bytes, words.length, out);
    text_append_char(out, '\n');
    text_release(&words);
}

/* What stands below the title: the diagnostic where it is the criterion's own, else where it
 * stands; without one why nothing was measured. */
static void append_reason(struct text *out, const struct report *report, size_t index,
                          const struct emit_options *options)
{
    const struct verdict *verdict = &report->verdicts[index];
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(report, index, &first);
    struct text words;

    text_init(&words);
    if (diagnostic != NULL && first == index) {
        plain_append_diagnostic(&words, options, diagnostic);
    } else if (diagnostic != NULL) {
        text_printf(&words, "same cause as %s: ", report->verdicts[first].criterion->title);
        plain_append_headline(&words, diagnostic);
    } else if (verdict->status != STATUS_PASSED) {
        text_append(&words, plain_why(verdict));
    }
    append_lines(out, &words);
    text_release(&words);
}

/* Diagnostics that no criterion fails for, and remarks. */
static void append_others(struct text *out, const struct report *report,
                          const struct emit_options *options)
{
    struct text words;

    text_init(&words);
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (report->diagnostics[i].verdict_count == 0) {
            plain_append_diagnostic(&words, options, &report->diagnostics[i]);
        }
    }
    for (size_t i = 0; i < report->remark_count; i++) {
        plain_append_remark(&words, options, &report->remarks[i]);
    }
    if (words.length > 0) {
        text_append(out, "-Also found, costs nothing\n");
        append_lines(out, &words);
    }
    text_release(&words);
}

static void append_no_grade(struct text *out, const char *why)
{
    text_printf(out, "Comment :=>>-No grade: %s\n", why);
}

/* The last line, or instead of it a comment that says why there is none. */
static void append_grade(struct text *out, const struct report *report)
{
    double maximum = report_measurable_max(report);

    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].status == STATUS_ERROR) {
            append_no_grade(out, "the grader or the machine failed, which is not your fault; "
                                 "evaluate the submission again");
            return;
        }
    }
    if (maximum <= 0) {
        append_no_grade(out, "nothing could be measured on this machine");
        return;
    }
    text_append(out, "\nGrade :=>>");
    plain_append_number(out, fmin(100, 100 * report_score(report) / maximum), GRADE_DECIMALS);
    text_append_char(out, '\n');
}

void emit_vpl(const struct report *report, const struct emit_options *options, struct text *out)
{
    text_append(out, "Comment :=>>-Score: ");
    plain_append_score(out, report);
    text_append(out, "\n<|--\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        append_title(out, &report->verdicts[i]);
        append_reason(out, report, i, options);
    }
    append_others(out, report, options);
    text_append(out, "--|>\n");
    append_grade(out, report);
}
