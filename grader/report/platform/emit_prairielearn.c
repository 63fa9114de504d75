/* emit_prairielearn.c: results.json of a PrairieLearn external grader ("External grading", "Grading
 * results"), never more than PRAIRIELEARN_BYTES_MAX.
 *
 * "score" is what was earned of what this machine could measure, 1 at most (bonus points cannot
 * lead beyond). What was skipped is told in "message" and is no test: a test without points would
 * hide the points of all, one with 0 of 0 would look like a pass.
 *
 * "gradable": false, by which a submission costs no attempt and gets no score, with the reason in
 * "format_errors":
 *   - where all failed because nothing could be built: the submission can be no answer yet;
 *   - where the grader or the machine failed at a criterion, or could measure none: a share of the
 *     rest could be more, or less, than what was earned. Such a score would also invite submissions
 *     that bring errors about.
 *
 * The file is written with texts of at most so many
 * bytes; while it is too large, again with half as many. Without any text it is small.
 */
#include "report/platform/emit_format.h"

#include "report/platform/criterion_text.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"
#include "report/score/json_parts.h"

#include <math.h>

enum { TEXT_BYTES_MAX = 16 * 1024, NAME_BYTES_MAX = 200, WHY_BYTES_MAX = 1000 };

static double rounded(double points)
{
    return round(points * 1e6) / 1e6;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static bool has_status(const struct report *report, enum status status)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].status == status) {
            return true;
        }
    }
    return false;
}

/* True if nothing of the submission could be built, so that nothing was judged. */
static bool is_unbuilt(const struct report *report)
{
    bool any = false;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        enum cause_kind kind = code_cause(verdict->cause.code);
        if (verdict->status == STATUS_SKIPPED || verdict->status == STATUS_OPEN) {
            continue;
        }
        if (verdict->status != STATUS_FAILED || (kind != CAUSE_COMPILE && kind != CAUSE_LINK)) {
            return false;
        }
        any = true;
    }
    return any;
}

static void append_text(cJSON *array, const struct text *text)
{
    cJSON_AddItemToArray(array, json_made(cJSON_CreateString(text->bytes)));
}

/* Adds the reasons of all verdicts with a status; a cause that several share once. */
static void add_reasons(cJSON *errors, const struct criterion_text *texts, enum status status)
{
    const struct report *report = texts->report;
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < report->verdict_count; i++) {
        size_t first = i;
        plain_diagnostic(report, i, &first);
        if (report->verdicts[i].status != status || first != i) {
            continue;
        }
        text_clear(&text);
        criterion_text_name(texts, &report->verdicts[i], &text);
        text_append(&text, "\n");
        criterion_text_details(texts, i, &text);
        append_text(errors, &text);
    }
    text_release(&text);
}

/* Adds "gradable" and "format_errors" where the submission gets no score. */
static void add_gradable(cJSON *root, const struct criterion_text *texts)
{
    const struct report *report = texts->report;
    bool is_error = has_status(report, STATUS_ERROR);
    bool is_empty = rounded(report_measurable_max(report)) <= 0;

    if (!is_error && !is_empty && !is_unbuilt(report)) {
        json_add_boolean(root, "gradable", true);
        return;
    }
    json_add_boolean(root, "gradable", false);
    cJSON *errors = json_add_array(root, "format_errors");
    struct text text;
    text_init(&text);
    text_append(&text, is_error   ? "the grader or the machine failed, so there is no score; this "
                                    "is not your fault and costs no attempt: submit again, or "
                                    "tell your instructor"
                       : is_empty ? "nothing could be measured on this machine; this is not your "
                                    "fault: tell your instructor"
                                  : "the submission could not be built, so there is no score, and "
                                    "it costs no attempt");
    append_text(errors, &text);
    text_release(&text);
    add_reasons(errors, texts, is_error ? STATUS_ERROR : is_empty ? STATUS_SKIPPED : STATUS_FAILED);
}

static void add_test(cJSON *tests, const struct criterion_text *texts, size_t index)
{
    const struct verdict *verdict = &texts->report->verdicts[index];
    const struct criterion_text names = {texts->report, texts->options,
                                         smaller(texts->limit, NAME_BYTES_MAX)};
    cJSON *test = json_append_object(tests);
    struct text text;

    text_init(&text);
    criterion_text_name(&names, verdict, &text);
    json_add_text(test, "name", text.bytes);
    json_add_number(test, "points", rounded(verdict->points));
    json_add_number(test, "max_points", rounded(verdict->criterion->points));
    text_clear(&text);
    if (verdict->status != STATUS_PASSED) {
        emit_append_line(&text, emit_why(verdict), smaller(texts->limit, WHY_BYTES_MAX));
        json_add_text(test, "message", text.bytes);
        text_clear(&text);
        criterion_text_details(texts, index, &text);
        json_add_text(test, "output", text.bytes);
    }
    text_release(&text);
}

/* Of what was written, so that the share is that of the tests' points. */
static double share_of(const struct report *report)
{
    double points = 0, most = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        points += rounded(verdict->points);
        if (verdict_is_measured(verdict) && !verdict->criterion->bonus) {
            most += rounded(verdict->criterion->points);
        }
    }
    return most <= 0 ? 0 : fmin(1, rounded(points) / rounded(most));
}

static void write_results(const struct criterion_text *texts, struct text *out)
{
    const struct report *report = texts->report;
    cJSON *root = json_made(cJSON_CreateObject());
    struct text overview;

    add_gradable(root, texts);
    json_add_number(root, "score", share_of(report));
    text_init(&overview);
    criterion_text_overview(texts, &overview);
    json_add_text(root, "message", overview.bytes);
    text_release(&overview);
    cJSON *tests = json_add_array(root, "tests");
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (verdict_is_measured(&report->verdicts[i])) {
            add_test(tests, texts, i);
        }
    }
    json_print(root, out);
    cJSON_Delete(root);
}

void emit_prairielearn(const struct report *report, const struct emit_options *options,
                       struct text *out)
{
    const size_t share = PRAIRIELEARN_BYTES_MAX / (report->verdict_count + 1);
    struct criterion_text texts = {report, options, smaller(TEXT_BYTES_MAX, share)};
    struct text results;

    text_init(&results);
    write_results(&texts, &results);
    while (results.length > PRAIRIELEARN_BYTES_MAX && texts.limit > 0) {
        texts.limit /= 2;
        text_clear(&results);
        write_results(&texts, &results);
    }
    text_append_bytes(out, results.bytes, results.length);
    text_release(&results);
}
