/* report_json.c: the score file, written key by key in a fixed order; see report_json.h.
 *
 * Strings are made harmless by json_print. Sums are rounded to a millionth, so that the order of
 * addition does not show.
 */
#include "report/score/report_json.h"

#include "report/score/json_parts.h"

#include <inttypes.h>
#include <math.h>

static double rounded(double sum)
{
    return round(sum * 1e6) / 1e6;
}

static void add_cause(cJSON *criterion, const struct cause *cause)
{
    if (cause->code == CODE_NONE) {
        json_made(cJSON_AddNullToObject(criterion, "cause"));
        return;
    }
    cJSON *object = json_add_object(criterion, "cause");
    json_add_text(object, "kind", cause_name(code_cause(cause->code)));
    json_add_text(object, "code", code_name(cause->code));
    json_add_text(object, "message", cause->message);
    json_add_text(object, "file", cause->file);
    json_add_number(object, "line", cause->line);
    json_add_number(object, "column", cause->column);
    json_add_text(object, "hint", cause->hint);
}

static void add_facts(cJSON *criterion, const char *key, const struct evidence *facts, size_t count)
{
    cJSON *object = json_add_object(criterion, key);

    for (size_t i = 0; i < count; i++) {
        const struct evidence *fact = &facts[i];
        switch (fact->type) {
        case EVIDENCE_TEXT:
            json_add_text(object, fact->key, fact->text);
            break;
        case EVIDENCE_NUMBER:
            json_add_number(object, fact->key, fact->number);
            break;
        case EVIDENCE_INTEGER:
            json_add_number(object, fact->key, (double)fact->integer);
            break;
        case EVIDENCE_BOOLEAN:
            json_add_boolean(object, fact->key, fact->integer != 0);
            break;
        }
    }
}

static void add_criterion(cJSON *criteria, const struct verdict *verdict)
{
    cJSON *object = json_append_object(criteria);

    json_add_text(object, "id", verdict->criterion->id);
    json_add_text(object, "title", verdict->criterion->title);
    if (verdict->criterion->hidden) { /* for an instructor alone */
        json_add_boolean(object, "hidden", true);
    }
    if (verdict->criterion->bonus) {
        json_add_boolean(object, "bonus", true);
    }
    json_add_text(object, "status", status_name(verdict->status));
    if (verdict->status == STATUS_OPEN) {
        json_made(cJSON_AddNullToObject(object, "points"));
    } else {
        json_add_number(object, "points", verdict->points);
    }
    json_add_number(object, "max_points", verdict->criterion->points);
    add_cause(object, &verdict->cause);
    const char *review = status_review(verdict->status, verdict->cause.code);
    if (review != NULL) {
        json_add_text(object, "review", review);
    }
    add_facts(object, "evidence", verdict->evidence, verdict->evidence_count);
    add_facts(object, "measured", verdict->measured, verdict->measured_count);
}

static void add_head(cJSON *root, const struct report *report)
{
    struct report_rank rank;
    struct text seed;

    json_add_text(root, "schema", "gpugrade/score/v1");
    if (report->rubric->reports_hidden) { /* its texts name what students must not see */
        json_add_text(root, "audience", "instructor");
    }
    json_add_text(root, "coursework", report->rubric->id);
    cJSON *rubric = json_add_object(root, "rubric");
    json_add_number(rubric, "version", (double)report->rubric->version);
    json_add_text(rubric, "sha256", report->rubric->sha256);
    cJSON *submission = json_add_object(root, "submission");
    json_add_text(submission, "name", report->submission_name);
    json_add_text(submission, "sha256", report->submission_sha256);
    if (report->only != NULL) {
        json_add_text(root, "only", report->only);
    }
    json_add_number(root, "score", rounded(report_score(report)));
    json_add_number(root, "max_score", rounded(report_max_score(report)));
    json_add_number(root, "measurable_max", rounded(report_measurable_max(report)));
    json_add_boolean(root, "complete", report_complete(report));
    if (report_wants_review(report)) {
        json_add_boolean(root, "review", true);
    }
    if (report_rank(report, &rank)) {
        cJSON *object = json_add_object(root, "leaderboard");
        json_add_text(object, "name", rank.name);
        json_add_number(object, "value", rank.value);
        json_add_text(object, "order", rank.is_ascending ? "asc" : "desc");
    }
    text_init(&seed);
    text_printf(&seed, "0x%016" PRIx64, report->seed);
    json_add_text(root, "seed", seed.bytes);
    text_release(&seed);
}

/* "13.0" of 13000; empty where there is no driver. */
static void add_driver(cJSON *device, uint32_t version)
{
    struct text driver;

    text_init(&driver);
    if (version > 0) {
        text_printf(&driver, "%" PRIu32 ".%" PRIu32, version / 1000, version % 1000 / 10);
    }
    json_add_text(device, "driver", driver.length > 0 ? driver.bytes : "");
    text_release(&driver);
}

static void add_machine(cJSON *root, const struct report *report)
{
    cJSON *machine = json_add_object(root, "machine");
    cJSON *devices = json_add_array(machine, "devices");
    cJSON *sandbox = json_add_object(machine, "sandbox");
    cJSON *tools = json_add_object(machine, "tools");

    for (size_t i = 0; i < report->device_count; i++) {
        cJSON *device = json_append_object(devices);
        json_add_text(device, "kind", report->devices[i].kind);
        json_add_text(device, "gpu_model", report->devices[i].gpu_model);
        json_add_text(device, "uuid", report->devices[i].uuid);
        add_driver(device, report->devices[i].driver_version);
    }
    json_add_text(sandbox, "tier", report->sandbox.tier);
    json_add_text(sandbox, "memory", report->sandbox.memory);
    cJSON_AddBoolToObject(sandbox, "own_user", report->sandbox.own_user);
    cJSON_AddBoolToObject(sandbox, "filters_calls", report->sandbox.filters_calls);
    cJSON_AddBoolToObject(sandbox, "confines_device", report->sandbox.confines_device);
    json_add_text(sandbox, "note", report->sandbox.note);
    json_add_text(tools, "gpugrade", report->grader_version);
    json_add_text(tools, "cuda", report_cuda_version(report->compiler));
    json_add_text(tools, "compiler", report->compiler);
}

void report_json(const struct report *report, struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());

    add_head(root, report);
    cJSON *criteria = json_add_array(root, "criteria");
    for (size_t i = 0; i < report->verdict_count; i++) {
        add_criterion(criteria, &report->verdicts[i]);
    }
    json_add_diagnostics(root, report);
    json_add_findings(root, report->findings, report->finding_count);
    json_add_remarks(root, report->remarks, report->remark_count);
    add_machine(root, report);
    cJSON *seconds = json_add_object(root, "seconds");
    for (size_t i = 0; i < report->seconds_count; i++) {
        json_add_number(seconds, report->seconds[i].name, report->seconds[i].seconds);
    }
    json_print(root, out);
    cJSON_Delete(root);
}
