/* emit_csv.c: one submission as a table of a header and a row, with the columns that
 * `gpugrade report --format csv` has for a class (report/class/class_csv.h), by the same code. So
 * scores that were made one by one can be put below each other.
 *
 * The last part of the submission's name stands for the student, as nothing else is known of one;
 * what only a class knows is empty or 0: name, email, section, when it was handed in, lateness.
 *
 * The report becomes the results of a class of one.
 */
#include "report/platform/emit_format.h"

#include "report/class/class_csv.h"
#include "report/platform/plain_words.h"

#include <string.h>

/* What the screen tells for a criterion: where nothing is attempted, each criterion finds that at
 * its own open step, and all are told as one. */
static enum code reported_code(const struct report *report, size_t verdict)
{
    const enum code code = report->verdicts[verdict].cause.code;

    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *told = &report->diagnostics[i];
        for (size_t j = 0; j < told->verdict_count; j++) {
            if (told->verdicts[j] == verdict && code != CODE_NONE && told->code != CODE_NONE &&
                code_cause(told->code) == code_cause(code)) {
                return told->code;
            }
        }
    }
    return code;
}

static void fill_criteria(const struct report *report, struct class_criterion *criteria,
                          struct class_mark *marks)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        criteria[i] = (struct class_criterion){.id = verdict->criterion->id,
                                               .title = verdict->criterion->title,
                                               .kind = "",
                                               .points = verdict->criterion->points,
                                               .hidden = verdict->criterion->hidden,
                                               .bonus = verdict->criterion->bonus};
        marks[i] = (struct class_mark){.is_judged = true,
                                       .status = verdict->status,
                                       .points = verdict->points,
                                       .code = reported_code(report, i)};
    }
}

/* The last part of the submission's name, which may be a path: what a class would call it. */
static const char *student_of(struct arena *arena, const char *submission)
{
    size_t end = strlen(submission);

    while (end > 1 && submission[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && submission[start - 1] != '/') {
        start--;
    }
    return arena_strndup(arena, submission + start, end - start);
}

static struct class_row row_of(const struct report *report, struct arena *arena,
                               const struct class_mark *marks)
{
    struct class_row row = {
        .student = student_of(arena, report->submission_name),
        .name = "",
        .email = "",
        .canvas_id = "",
        .sis_id = "",
        .login = "",
        .section = "",
        .moodle_id = "",
        .submission = report->submission_name,
        .attempts = 1,
        .content = report->submission_sha256,
        .state = CLASS_GRADED,
        .trouble = "",
        .is_complete = report_complete(report),
        .marks = marks,
        .speedup = report_speedup(report),
        .seconds = plain_seconds(report),
        .tries = 1,
    };

    row.final.raw = report_score(report);
    row.final.mark = row.final.raw;
    row.final.maximum = report_measurable_max(report);
    return row;
}

void emit_csv(const struct report *report, const struct emit_options *options, struct text *out)
{
    struct arena *arena = arena_new();
    struct class_criterion *criteria = arena_array(arena, report->verdict_count, sizeof *criteria);
    struct class_mark *marks = arena_array(arena, report->verdict_count, sizeof *marks);

    (void)options; /* no files, no time */
    fill_criteria(report, criteria, marks);
    struct class_row row = row_of(report, arena, marks);
    struct class_results results = {
        .title = text_or_empty(report->rubric->title),
        .coursework = report->rubric->id,
        .rubric_version = report->rubric->version,
        .rubric_sha256 = report->rubric->sha256,
        .seed = "",
        .maximum = row.final.maximum,
        .machine = "",
        .grader_version = text_or_empty(report->grader_version),
        .criteria = criteria,
        .criterion_count = report->verdict_count,
        .rows = &row,
        .row_count = 1,
    };
    class_csv(&results, out);
    arena_free(arena);
}
