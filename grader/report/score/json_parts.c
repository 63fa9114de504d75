/* json_parts.c: see json_parts.h. */
#include "report/score/json_parts.h"

#include "report/left_out.h"

#include <assert.h>
#include <stdlib.h>

cJSON *json_made(cJSON *value)
{
    if (value == NULL) {
        abort();
    }
    return value;
}

void json_add_text(cJSON *object, const char *key, const char *text)
{
    json_made(cJSON_AddStringToObject(object, key, text == NULL ? "" : text));
}

void json_add_boolean(cJSON *object, const char *key, bool value)
{
    json_made(cJSON_AddBoolToObject(object, key, value));
}

cJSON *json_add_object(cJSON *object, const char *key)
{
    return json_made(cJSON_AddObjectToObject(object, key));
}

cJSON *json_add_array(cJSON *object, const char *key)
{
    return json_made(cJSON_AddArrayToObject(object, key));
}

cJSON *json_append_object(cJSON *array)
{
    cJSON *object = json_made(cJSON_CreateObject());

    cJSON_AddItemToArray(array, object);
    return object;
}

static void add_dimensions(cJSON *place, const char *key, const uint32_t dimensions[3], bool known)
{
    if (!known) {
        json_made(cJSON_AddNullToObject(place, key));
        return;
    }
    cJSON *array = json_add_array(place, key);
    for (size_t i = 0; i < 3; i++) {
        cJSON_AddItemToArray(array, json_made(cJSON_CreateNumber(dimensions[i])));
    }
}

static void add_finding(cJSON *findings, const struct finding *finding)
{
    cJSON *object = json_append_object(findings);

    assert(finding->place_count <= FINDING_PLACES_MAX);
    json_add_text(object, "kind", cause_name(code_cause(finding->code)));
    json_add_text(object, "code", code_name(finding->code));
    json_add_text(object, "severity", finding->severity == SEVERITY_ERROR ? "error" : "warning");
    json_add_text(object, "message", finding->message);
    json_add_text(object, "kernel", finding->kernel);
    json_add_text(object, "launch", finding->launch);
    json_add_number(object, "count", (double)finding->count);
    cJSON *places = json_add_array(object, "places");
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        cJSON *entry = json_append_object(places);
        json_add_text(entry, "role", place->role);
        json_add_text(entry, "file", place->file);
        json_add_number(entry, "line", place->line);
        json_add_number(entry, "column", place->column);
        add_dimensions(entry, "block", place->block, place->has_thread);
        add_dimensions(entry, "thread", place->thread, place->has_thread);
    }
}

static void add_mark(cJSON *marks, const struct diagnostic_mark *mark)
{
    cJSON *object = json_append_object(marks);

    json_add_text(object, "file", mark->file);
    json_add_number(object, "line", mark->line);
    json_add_number(object, "column", mark->column);
    json_add_number(object, "end", mark->end);
    json_add_boolean(object, "primary", mark->is_primary);
    json_add_text(object, "label", mark->label);
}

/* Adds the member "fix" where there is one. */
static void add_fix(cJSON *object, const struct report_diagnostic *diagnostic)
{
    cJSON *fix = diagnostic->fix_count > 0 ? json_add_array(object, "fix") : NULL;

    for (size_t i = 0; i < diagnostic->fix_count; i++) {
        cJSON *line = json_append_object(fix);
        json_add_text(line, "file", diagnostic->fixes[i].file);
        json_add_number(line, "line", diagnostic->fixes[i].line);
        if (diagnostic->fixes[i].before != NULL) {
            json_add_text(line, "before", diagnostic->fixes[i].before);
        }
        if (diagnostic->fixes[i].after != NULL) {
            json_add_text(line, "after", diagnostic->fixes[i].after);
        }
    }
}

static void add_diagnostic(cJSON *diagnostics, const struct report *report,
                           const struct report_diagnostic *diagnostic)
{
    cJSON *object = json_append_object(diagnostics);

    json_add_text(object, "severity", diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
    json_add_text(object, "id", code_id(diagnostic->code));
    json_add_text(object, "code", code_name(diagnostic->code));
    json_add_text(object, "message", diagnostic->message);
    json_add_text(object, "file", diagnostic->file);
    json_add_number(object, "line", diagnostic->line);
    json_add_number(object, "column", diagnostic->column);
    cJSON *criteria = json_add_array(object, "criteria");
    for (size_t i = 0; i < diagnostic->verdict_count; i++) {
        const char *id = report->verdicts[diagnostic->verdicts[i]].criterion->id;
        cJSON_AddItemToArray(criteria, json_made(cJSON_CreateString(id)));
    }
    cJSON *marks = json_add_array(object, "marks");
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        add_mark(marks, &diagnostic->marks[i]);
    }
    add_fix(object, diagnostic);
    cJSON *notes = json_add_array(object, "notes");
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        cJSON *note = json_append_object(notes);
        json_add_text(note, "kind", note_kind_name(diagnostic->notes[i].kind));
        json_add_text(note, "text", diagnostic->notes[i].text);
    }
}

static void add_remark(cJSON *remarks, const struct remark *remark)
{
    cJSON *object = json_append_object(remarks);

    json_add_text(object, "message", remark->message);
    json_add_text(object, "file", remark->file);
    json_add_number(object, "line", remark->line);
    json_add_number(object, "column", remark->column);
}

void json_add_findings(cJSON *object, const struct finding *findings, size_t count)
{
    cJSON *array = json_add_array(object, "findings");

    const struct left_out dropped = left_out_sum(findings, count);

    for (size_t i = 0; i < count; i++) {
        if (!findings[i].is_rest) {
            add_finding(array, &findings[i]);
        }
    }
    if (dropped.errors > 0 || dropped.warnings > 0) {
        cJSON *rest = json_add_object(object, "findings_dropped");
        json_add_number(rest, "errors", (double)dropped.errors);
        json_add_number(rest, "warnings", (double)dropped.warnings);
    }
}

void json_add_diagnostics(cJSON *object, const struct report *report)
{
    cJSON *array = json_add_array(object, "diagnostics");

    for (size_t i = 0; i < report->diagnostic_count; i++) {
        add_diagnostic(array, report, &report->diagnostics[i]);
    }
}

void json_add_remarks(cJSON *object, const struct remark *remarks, size_t count)
{
    cJSON *array = json_add_array(object, "remarks");

    for (size_t i = 0; i < count; i++) {
        add_remark(array, &remarks[i]);
    }
}
