/* report_json.c: the score file, written key by key in a fixed order; see report_json.h.
 *
 * Strings are made harmless by json_print. Sums are rounded to a millionth, so that the order of
 * addition does not show.
 */
#include "report/report_json.h"

#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* cJSON returns NULL only when memory is gone; then nothing sensible is left to do. */
static cJSON *made(cJSON *value)
{
    if (value == NULL) {
        abort();
    }
    return value;
}

static void add_text(cJSON *object, const char *key, const char *text)
{
    made(cJSON_AddStringToObject(object, key, text == NULL ? "" : text));
}

static void add_boolean(cJSON *object, const char *key, bool value)
{
    made(cJSON_AddBoolToObject(object, key, value));
}

static cJSON *add_object(cJSON *object, const char *key)
{
    return made(cJSON_AddObjectToObject(object, key));
}

static cJSON *add_array(cJSON *object, const char *key)
{
    return made(cJSON_AddArrayToObject(object, key));
}

static cJSON *append_object(cJSON *array)
{
    cJSON *object = made(cJSON_CreateObject());

    cJSON_AddItemToArray(array, object);
    return object;
}

static double rounded(double sum)
{
    return round(sum * 1e6) / 1e6;
}

static void add_cause(cJSON *criterion, const struct cause *cause)
{
    if (cause->code == CODE_NONE) {
        made(cJSON_AddNullToObject(criterion, "cause"));
        return;
    }
    cJSON *object = add_object(criterion, "cause");
    add_text(object, "kind", cause_name(code_cause(cause->code)));
    add_text(object, "code", code_name(cause->code));
    add_text(object, "message", cause->message);
    add_text(object, "file", cause->file);
    json_add_number(object, "line", cause->line);
    json_add_number(object, "column", cause->column);
    add_text(object, "hint", cause->hint);
}

static void add_evidence(cJSON *criterion, const struct verdict *verdict)
{
    cJSON *object = add_object(criterion, "evidence");

    for (size_t i = 0; i < verdict->evidence_count; i++) {
        const struct evidence *fact = &verdict->evidence[i];
        switch (fact->type) {
        case EVIDENCE_TEXT:
            add_text(object, fact->key, fact->text);
            break;
        case EVIDENCE_NUMBER:
            json_add_number(object, fact->key, fact->number);
            break;
        case EVIDENCE_INTEGER:
            json_add_number(object, fact->key, (double)fact->integer);
            break;
        case EVIDENCE_BOOLEAN:
            add_boolean(object, fact->key, fact->integer != 0);
            break;
        }
    }
}

static void add_criterion(cJSON *criteria, const struct verdict *verdict)
{
    cJSON *object = append_object(criteria);

    add_text(object, "id", verdict->criterion->id);
    add_text(object, "title", verdict->criterion->title);
    add_text(object, "status", status_name(verdict->status));
    json_add_number(object, "points", verdict->points);
    json_add_number(object, "max_points", verdict->criterion->points);
    add_cause(object, &verdict->cause);
    add_evidence(object, verdict);
    add_object(object, "measured");
}

static void add_dimensions(cJSON *place, const char *key, const uint32_t dimensions[3], bool known)
{
    if (!known) {
        made(cJSON_AddNullToObject(place, key));
        return;
    }
    cJSON *array = add_array(place, key);
    for (size_t i = 0; i < 3; i++) {
        cJSON_AddItemToArray(array, made(cJSON_CreateNumber(dimensions[i])));
    }
}

static void add_finding(cJSON *findings, const struct finding *finding)
{
    cJSON *object = append_object(findings);

    assert(finding->place_count <= FINDING_PLACES_MAX);
    add_text(object, "kind", cause_name(code_cause(finding->code)));
    add_text(object, "code", code_name(finding->code));
    add_text(object, "severity", finding->severity == SEVERITY_ERROR ? "error" : "warning");
    add_text(object, "message", finding->message);
    add_text(object, "kernel", finding->kernel);
    add_text(object, "launch", finding->launch);
    json_add_number(object, "count", (double)finding->count);
    cJSON *places = add_array(object, "places");
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        cJSON *entry = append_object(places);
        add_text(entry, "role", place->role);
        add_text(entry, "file", place->file);
        json_add_number(entry, "line", place->line);
        json_add_number(entry, "column", place->column);
        add_dimensions(entry, "block", place->block, place->has_thread);
        add_dimensions(entry, "thread", place->thread, place->has_thread);
    }
}

static void add_remark(cJSON *remarks, const struct remark *remark)
{
    cJSON *object = append_object(remarks);

    add_text(object, "message", remark->message);
    add_text(object, "file", remark->file);
    json_add_number(object, "line", remark->line);
    json_add_number(object, "column", remark->column);
}

static void add_head(cJSON *root, const struct report *report)
{
    struct text seed;

    add_text(root, "schema", "gpugrade/score/v1");
    add_text(root, "coursework", report->rubric->id);
    cJSON *rubric = add_object(root, "rubric");
    json_add_number(rubric, "version", (double)report->rubric->version);
    add_text(rubric, "sha256", report->rubric->sha256);
    cJSON *submission = add_object(root, "submission");
    add_text(submission, "name", report->submission_name);
    add_text(submission, "sha256", report->submission_sha256);
    json_add_number(root, "score", rounded(report_score(report)));
    json_add_number(root, "max_score", rounded(report_max_score(report)));
    json_add_number(root, "measurable_max", rounded(report_measurable_max(report)));
    add_boolean(root, "complete", report_complete(report));
    text_init(&seed);
    text_printf(&seed, "0x%016" PRIx64, report->seed);
    add_text(root, "seed", seed.bytes);
    text_release(&seed);
}

static void add_machine(cJSON *root, const struct report *report)
{
    cJSON *machine = add_object(root, "machine");
    cJSON *device = append_object(add_array(machine, "devices"));
    cJSON *sandbox = add_object(machine, "sandbox");
    cJSON *tools = add_object(machine, "tools");

    add_text(device, "kind", report->device);
    add_text(device, "gpu_model", report->gpu_model);
    add_text(sandbox, "tier", report->sandbox);
    add_text(sandbox, "note", report->sandbox_note);
    add_text(tools, "gpugrade", report->grader_version);
    add_text(tools, "cuda", report->cuda_version);
}

void report_json(const struct report *report, struct text *out)
{
    cJSON *root = made(cJSON_CreateObject());

    add_head(root, report);
    cJSON *criteria = add_array(root, "criteria");
    for (size_t i = 0; i < report->verdict_count; i++) {
        add_criterion(criteria, &report->verdicts[i]);
    }
    cJSON *findings = add_array(root, "findings");
    for (size_t i = 0; i < report->finding_count; i++) {
        add_finding(findings, &report->findings[i]);
    }
    cJSON *remarks = add_array(root, "remarks");
    for (size_t i = 0; i < report->remark_count; i++) {
        add_remark(remarks, &report->remarks[i]);
    }
    add_machine(root, report);
    cJSON *seconds = add_object(root, "seconds");
    for (size_t i = 0; i < report->seconds_count; i++) {
        json_add_number(seconds, report->seconds[i].name, report->seconds[i].seconds);
    }
    json_print(root, out);
    cJSON_Delete(root);
}
