/* emit_check50.c: results as check50 writes them with --output json, for what reads those.
 *
 *     {slug, version, results: [{name, description, passed, log, cause, data, dependency}]}
 *
 * passed: true, false, or null for a criterion that could not be judged here; cause: null for a
 * pass, else {rationale, help?}; dependency: the name of the criterion that this one fails because
 * of, where the score tells, else null. One result for each criterion, in the rubric's order.
 *
 * check50 prints log, rationale and help on terminals as they
 * are, so all of them are printable and one line each; its page takes rationale and help for HTML
 * (escape_untagged).
 */
#include "report/platform/emit_format.h"

#include "report/escape.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/score/json_parts.h"

#include <stdint.h>
#include <string.h>

enum { LINE_BYTES_MAX = 4000 };

static void add_line(cJSON *log, const char *line)
{
    struct text text;

    text_init(&text);
    emit_append_line(&text, line, LINE_BYTES_MAX);
    cJSON_AddItemToArray(log, json_made(cJSON_CreateString(text.bytes)));
    text_release(&text);
}

static void log_head(const struct report_diagnostic *diagnostic, cJSON *log)
{
    struct text line;

    text_init(&line);
    plain_append_headline(&line, diagnostic);
    add_line(log, line.bytes);
    text_release(&line);
}

static void log_marks(const struct report_diagnostic *diagnostic,
                      const struct emit_options *options, cJSON *log)
{
    struct text line;

    text_init(&line);
    if (diagnostic->file[0] != '\0') {
        text_append(&line, "at ");
        emit_append_place(&line, options, diagnostic->file, diagnostic->line, diagnostic->column);
        add_line(log, line.bytes);
    }
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (text_or_empty(mark->label)[0] != '\0') {
            text_clear(&line);
            emit_append_place(&line, options, mark->file, mark->line, mark->column);
            text_printf(&line, ": %s", mark->label);
            add_line(log, line.bytes);
        }
    }
    text_release(&line);
}

/* The whole diagnostic with the criterion whose cause it tells, its first line with the others. */
static void add_log(cJSON *result, const struct report *report, size_t index,
                    const struct emit_options *options)
{
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(report, index, &first);
    cJSON *log = json_add_array(result, "log");
    struct text line;

    if (diagnostic == NULL) {
        return;
    }
    log_head(diagnostic, log);
    text_init(&line);
    if (first != index) {
        text_printf(&line, "see \"%s\" for details", emit_title(&report->verdicts[first]));
        add_line(log, line.bytes);
        text_release(&line);
        return;
    }
    log_marks(diagnostic, options, log);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        text_clear(&line);
        text_printf(&line, "%s: %s", note_kind_name(diagnostic->notes[i].kind),
                    text_or_empty(diagnostic->notes[i].text));
        add_line(log, line.bytes);
    }
    text_release(&line);
}

static void add_untagged(cJSON *object, const char *key, const char *string)
{
    struct text shortened, text;

    text_init(&shortened);
    text_init(&text);
    emit_append_shortened(&shortened, string, LINE_BYTES_MAX);
    escape_untagged(shortened.bytes, shortened.length, &text);
    json_add_text(object, key, text.bytes);
    text_release(&text);
    text_release(&shortened);
}

static void add_cause(cJSON *result, const struct verdict *verdict)
{
    const char *hint = text_or_empty(verdict->cause.hint);

    if (verdict->status == STATUS_PASSED) {
        json_made(cJSON_AddNullToObject(result, "cause"));
        return;
    }
    cJSON *cause = json_add_object(result, "cause");
    add_untagged(cause, "rationale", emit_why(verdict));
    if (hint[0] != '\0') {
        add_untagged(cause, "help", hint);
    }
}

static void add_passed(cJSON *result, const struct verdict *verdict)
{
    if (!status_is_judged(verdict->status)) {
        json_made(cJSON_AddNullToObject(result, "passed"));
    } else {
        json_add_boolean(result, "passed", verdict->status == STATUS_PASSED);
    }
}

static void add_data(cJSON *result, const struct verdict *verdict)
{
    cJSON *data = json_add_object(result, "data");

    json_add_text(data, "status", status_name(verdict->status));
    json_add_number(data, "points", verdict->points);
    json_add_number(data, "max_points", verdict->criterion->points);
    if (verdict->criterion->bonus) {
        json_add_boolean(data, "bonus", true);
    }
}

static void add_result(cJSON *results, const struct report *report, size_t index,
                       const struct emit_options *options)
{
    const struct verdict *verdict = &report->verdicts[index];
    size_t dependency = emit_dependency(report, index);
    cJSON *result = json_append_object(results);
    struct text title;

    text_init(&title);
    emit_append_line(&title, emit_title(verdict), LINE_BYTES_MAX);
    json_add_text(result, "name", verdict->criterion->id);
    json_add_text(result, "description", title.bytes);
    text_release(&title);
    add_passed(result, verdict);
    add_log(result, report, index, options);
    add_cause(result, verdict);
    add_data(result, verdict);
    if (dependency == SIZE_MAX) {
        json_made(cJSON_AddNullToObject(result, "dependency"));
    } else {
        json_add_text(result, "dependency", report->verdicts[dependency].criterion->id);
    }
}

void emit_check50(const struct report *report, const struct emit_options *options, struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());

    json_add_text(root, "slug", report->rubric->id);
    json_add_text(root, "version", report->grader_version);
    cJSON *results = json_add_array(root, "results");
    for (size_t i = 0; i < report->verdict_count; i++) {
        add_result(results, report, i, options);
    }
    json_print(root, out);
    cJSON_Delete(root);
}
