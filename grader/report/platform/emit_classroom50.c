/* emit_classroom50.c: result.json of Classroom 50 (classroom50/result/v1), as far as a score knows.
 *
 *     {schema, datetime, score, max-score, tests: [{test-name, passed, score, max-score, ...}]}
 *
 * Who submitted what (classroom, assignment, submission, commit, release, review) is added by the
 * job, from its environment. Points are integers (whole_points.h), and Classroom 50 knows no bonus:
 * a score above the maximum is refused there, so points beyond the total are part of the maximum.
 * Criteria that cannot be measured on the machine are left out; one that the grader failed at is a
 * test of 0 points that did not pass.
 *
 * A result without tests would pass there, so there is
 * one that did not where nothing could be measured.
 */
#include "report/platform/emit_format.h"

#include "base/date.h"
#include "report/platform/emit_parts.h"
#include "report/platform/whole_points.h"
#include "report/score/json_parts.h"

#include <stdlib.h>

enum { LINE_BYTES_MAX = 1000 };

static void add_line(cJSON *object, const char *key, const char *string)
{
    struct text line;

    text_init(&line);
    emit_append_line(&line, string, LINE_BYTES_MAX);
    json_add_text(object, key, line.bytes);
    text_release(&line);
}

static void add_points(cJSON *object, struct whole_points points)
{
    json_add_number(object, "score", (double)points.points);
    json_add_number(object, "max-score", (double)points.max_points);
}

static void add_test(cJSON *tests, const struct verdict *verdict, struct whole_points points)
{
    cJSON *test = json_append_object(tests);

    add_line(test, "test-name", emit_title(verdict));
    json_add_boolean(test, "passed", verdict->status == STATUS_PASSED);
    add_points(test, points);
    json_add_text(test, "status", status_name(verdict->status));
    if (verdict->status != STATUS_PASSED) {
        add_line(test, "message", emit_why(verdict));
    }
}

/* Adds the tests; returns their sums. */
static struct whole_points add_tests(cJSON *tests, const struct report *report)
{
    struct whole_points *points = calloc(report->verdict_count + 1, sizeof *points);
    struct whole_points sum = {0, 0};

    if (points == NULL) {
        abort();
    }
    whole_points_round(report, points);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        struct whole_points own =
            verdict_is_measured(verdict) ? points[i] : (struct whole_points){0, 0};
        if (verdict->status != STATUS_SKIPPED && verdict->status != STATUS_OPEN) {
            add_test(tests, verdict, own);
            sum.points += own.points;
            sum.max_points += own.max_points;
        }
    }
    free(points);
    return sum;
}

void emit_classroom50(const struct report *report, const struct emit_options *options,
                      struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());
    cJSON *tests = json_made(cJSON_CreateArray());
    struct text date;

    text_init(&date);
    date_append(&date, options->time);
    json_add_text(root, "schema", "classroom50/result/v1");
    json_add_text(root, "datetime", date.bytes);
    add_points(root, add_tests(tests, report));
    if (cJSON_GetArraySize(tests) == 0) {
        cJSON *test = json_append_object(tests);
        json_add_text(test, "test-name", "nothing could be measured on this machine");
        json_add_boolean(test, "passed", false);
        add_points(test, (struct whole_points){0, 0});
    }
    cJSON_AddItemToObject(root, "tests", tests);
    json_print(root, out);
    cJSON_Delete(root);
    text_release(&date);
}
