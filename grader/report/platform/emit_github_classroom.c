/* emit_github_classroom.c: see emit_github_classroom.h.
 *
 * The reporter prints names, messages and code into a log that commands are read from, so each of
 * them is one line without control characters, and none of a student's starts a line. An
 * environment variable holds 128 KiB: texts are shortened more and more until the line is shorter.
 * The score tells no time for a single criterion: duration is 0.
 */
#include "report/platform/emit_github_classroom.h"

#include "base/base64.h"
#include "report/json_parts.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"

#include <stdlib.h>

enum { JSON_BYTES_MAX = 90 * 1024 }; /* 120 KiB in base64 */

/* What a report is told with. */
struct telling {
    const struct report *report;
    const struct emit_options *options;
    const struct whole_points *points; /* [verdict_count] */
    size_t line_bytes;                 /* the longest text */
};

static void add_line(cJSON *object, const char *key, const char *string, size_t limit)
{
    struct text line;

    text_init(&line);
    emit_append_line(&line, string, limit);
    json_add_text(object, key, line.bytes);
    text_release(&line);
}

/* "partial, 9 of 18 points: error[B01]: reads behind the end of B; hint: ..." */
static void append_message(const struct verdict *verdict,
                           const struct report_diagnostic *diagnostic, struct text *out)
{
    const char *hint = text_or_empty(verdict->cause.hint);

    if (verdict->status == STATUS_PASSED) {
        return;
    }
    text_append(out, status_name(verdict->status));
    if (verdict->status == STATUS_PARTIAL) {
        text_append(out, ", ");
        plain_append_points(out, verdict);
    }
    text_append(out, ": ");
    if (diagnostic != NULL) {
        plain_append_headline(out, diagnostic);
    } else {
        text_append(out, emit_why(verdict));
    }
    if (hint[0] != '\0') {
        text_printf(out, "; hint: %s", hint);
    }
}

static void add_test(cJSON *tests, const struct telling *telling, size_t index)
{
    static const char *const words[] = {
        [STATUS_PASSED] = "pass",  [STATUS_PARTIAL] = "fail", [STATUS_FAILED] = "fail",
        [STATUS_SKIPPED] = "pass", [STATUS_ERROR] = "error",
    };
    const struct verdict *verdict = &telling->report->verdicts[index];
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(telling->report, index, &first);
    bool has_place = diagnostic != NULL && emit_is_inside(diagnostic->file);
    cJSON *test = json_append_object(tests);
    struct text text;

    text_init(&text);
    add_line(test, "name", emit_title(verdict), telling->line_bytes);
    json_add_text(test, "status", words[verdict->status]);
    json_add_number(test, "score",
                    verdict_is_measured(verdict) ? (double)telling->points[index].points : 0);
    append_message(verdict, diagnostic, &text);
    add_line(test, "message", text.bytes, telling->line_bytes);
    add_line(test, "test_code", diagnostic != NULL ? emit_note(diagnostic, NOTE_AGAIN) : "",
             telling->line_bytes);
    text_clear(&text);
    emit_append_place(&text, telling->options, has_place ? diagnostic->file : "", 0, 0);
    add_line(test, "filename", text.bytes, telling->line_bytes);
    json_add_number(test, "line_no", has_place ? diagnostic->line : 0);
    json_add_number(test, "duration", 0);
    text_release(&text);
}

static void add_nothing(cJSON *tests, const struct telling *telling)
{
    cJSON *test = json_append_object(tests);

    json_add_text(test, "name", "gpugrade");
    json_add_text(test, "status", "error");
    json_add_number(test, "score", 0);
    add_line(test, "message", "nothing could be measured on this machine", telling->line_bytes);
    json_add_text(test, "test_code", "");
    json_add_text(test, "filename", "");
    json_add_number(test, "line_no", 0);
    json_add_number(test, "duration", 0);
}

/* fail: something of the submission did not pass; error: something could not be judged. */
static const char *status_of(const struct report *report)
{
    const char *status = "error";

    for (size_t i = 0; i < report->verdict_count; i++) {
        enum status own = report->verdicts[i].status;
        if (own == STATUS_FAILED || own == STATUS_PARTIAL) {
            return "fail";
        }
    }
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].status == STATUS_ERROR) {
            return "error";
        }
        status = report->verdicts[i].status == STATUS_PASSED ? "pass" : status;
    }
    return status;
}

static void append_json(const struct telling *telling, struct text *out)
{
    const struct report *report = telling->report;
    cJSON *root = json_made(cJSON_CreateObject());

    json_add_number(root, "version", 1);
    json_add_text(root, "status", status_of(report));
    json_add_number(root, "max_score",
                    (double)whole_points_sum(report, telling->points).max_points);
    cJSON *tests = json_add_array(root, "tests");
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].status != STATUS_SKIPPED) {
            add_test(tests, telling, i);
        }
    }
    if (cJSON_GetArraySize(tests) == 0) {
        add_nothing(tests, telling);
    }
    json_print_line(root, out);
    cJSON_Delete(root);
}

void emit_github_classroom(const struct report *report, const struct emit_options *options,
                           struct text *out)
{
    enum { LINE_BYTES_MAX = 4096, LINE_BYTES_MIN = 8 };
    struct whole_points *points = calloc(report->verdict_count + 1, sizeof *points);
    struct telling telling = {report, options, points, LINE_BYTES_MAX};
    struct text json;

    if (points == NULL) {
        abort();
    }
    whole_points_round(report, points);
    text_init(&json);
    append_json(&telling, &json);
    while (json.length > JSON_BYTES_MAX && telling.line_bytes > LINE_BYTES_MIN) {
        telling.line_bytes /= 2;
        text_clear(&json);
        append_json(&telling, &json);
    }
    base64_append(out, json.bytes, json.length);
    text_append_char(out, '\n');
    text_release(&json);
    free(points);
}
