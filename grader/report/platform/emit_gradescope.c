/* emit_gradescope.c: results.json of a Gradescope autograder (Autograder Specifications, "Output
 * format").
 *
 * Each criterion is a test with its points; a bonus is one whose points lie beyond the total. What
 * was skipped, or is the grader's fault, is a test without score, maximum and status: it is shown
 * with its reason, and not as a failure. "score" is the sum of the tests' scores. There is no null,
 * which Gradescope would reject, and what run_autograder prints stays hidden.
 *
 * Points are the exact ones, in millionths; their sum is
 * taken over what is written, so that it is what Gradescope would add up.
 */
#include "report/platform/emit_format.h"

#include "report/platform/criterion_text.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"
#include "report/score/json_parts.h"

#include <math.h>

enum { TEXT_BYTES_MAX = 16 * 1024, NAME_BYTES_MAX = 200 };

static double rounded(double points)
{
    return round(points * 1e6) / 1e6;
}

static void add_printed(cJSON *object, const char *key, const struct text *text)
{
    if (text->length > 0) {
        json_add_text(object, key, text->bytes);
    }
}

static void add_test(cJSON *tests, const struct criterion_text *texts, size_t index, size_t number)
{
    const struct verdict *verdict = &texts->report->verdicts[index];
    const struct criterion_text names = {texts->report, texts->options, NAME_BYTES_MAX};
    cJSON *test = json_append_object(tests);
    struct text text;

    text_init(&text);
    if (verdict_is_measured(verdict)) {
        json_add_number(test, "score", rounded(verdict->points));
        json_add_number(test, "max_score", rounded(verdict->criterion->points));
        json_add_text(test, "status", verdict->status == STATUS_PASSED ? "passed" : "failed");
    }
    criterion_text_name(&names, verdict, &text);
    json_add_text(test, "name", text.bytes);
    text_clear(&text);
    text_printf(&text, "%zu", number);
    json_add_text(test, "number", text.bytes);
    text_clear(&text);
    criterion_text_details(texts, index, &text);
    add_printed(test, "output", &text);
    json_add_text(test, "visibility", "visible");
    text_release(&text);
}

/* For whoever exports the results: shown to no student, and nothing that a student could not see.
 */
static void add_extra(cJSON *root, const struct report *report)
{
    cJSON *extra = json_add_object(root, "extra_data");

    json_add_text(extra, "coursework", report->rubric->id);
    json_add_number(extra, "rubric_version", (double)report->rubric->version);
    json_add_number(extra, "max_score", rounded(report_max_score(report)));
    json_add_number(extra, "measurable_max", rounded(report_measurable_max(report)));
    json_add_boolean(extra, "complete", report_complete(report));
    json_add_boolean(extra, "graded", !report_has_error(report));
    json_add_text(extra, "gpugrade", report->grader_version);
}

/* Gradescope ranks the class itself, by pseudonyms that students choose there. */
static void add_leaderboard(cJSON *root, const struct report *report)
{
    struct report_rank rank;

    if (report_rank(report, &rank)) {
        cJSON *entry = json_append_object(json_add_array(root, "leaderboard"));
        json_add_text(entry, "name", rank.name);
        json_add_number(entry, "value", rank.value);
        json_add_text(entry, "order", rank.is_ascending ? "asc" : "desc");
    }
}

void emit_gradescope(const struct report *report, const struct emit_options *options,
                     struct text *out)
{
    const struct criterion_text texts = {report, options, TEXT_BYTES_MAX};
    cJSON *root = json_made(cJSON_CreateObject());
    double score = 0;
    double seconds = plain_seconds(report);
    struct text overview;

    for (size_t i = 0; i < report->verdict_count; i++) {
        score += rounded(report->verdicts[i].points);
    }
    json_add_number(root, "score", rounded(score));
    if (seconds > 0) {
        json_add_number(root, "execution_time", seconds);
    }
    text_init(&overview);
    criterion_text_overview(&texts, &overview);
    json_add_text(root, "output", overview.bytes);
    text_release(&overview);
    json_add_text(root, "output_format", "text");
    json_add_text(root, "test_output_format", "text");
    json_add_text(root, "test_name_format", "text");
    json_add_text(root, "visibility", "visible");
    json_add_text(root, "stdout_visibility", "hidden");
    add_extra(root, report);
    cJSON *tests = json_add_array(root, "tests");
    for (size_t i = 0; i < report->verdict_count; i++) {
        add_test(tests, &texts, i, i + 1);
    }
    add_leaderboard(root, report);
    json_print(root, out);
    cJSON_Delete(root);
}
