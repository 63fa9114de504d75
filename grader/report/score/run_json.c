/* run_json.c: the result of a run, written key by key in a fixed order; see run_json.h. */
#include "report/score/run_json.h"

#include "report/score/json_parts.h"

/* One of the two is null: a program exits or a signal ends it. */
static void add_end(cJSON *root, const struct run_report *report)
{
    if (report->signal != 0) {
        json_made(cJSON_AddNullToObject(root, "exit_status"));
        json_add_number(root, "signal", report->signal);
    } else {
        json_add_number(root, "exit_status", report->exit_status);
        json_made(cJSON_AddNullToObject(root, "signal"));
    }
}

static void add_machine(cJSON *root, const struct report *seen)
{
    cJSON *machine = json_add_object(root, "machine");
    cJSON *device = json_append_object(json_add_array(machine, "devices"));
    cJSON *tools = json_add_object(machine, "tools");

    json_add_text(device, "kind", seen->devices[0].kind);
    json_add_text(device, "gpu_model", seen->devices[0].gpu_model);
    json_add_text(tools, "gpugrade", seen->grader_version);
    json_add_text(tools, "cuda", report_cuda_version(seen->compiler));
    json_add_text(tools, "compiler", seen->compiler);
}

void run_json(const struct run_report *report, struct text *out)
{
    const struct report *seen = &report->seen;
    cJSON *root = json_made(cJSON_CreateObject());

    json_add_text(root, "schema", "gpugrade/run/v1");
    json_add_text(root, "program", report->program);
    cJSON *arguments = json_add_array(root, "arguments");
    for (size_t i = 0; i < report->argument_count; i++) {
        cJSON_AddItemToArray(arguments, json_made(cJSON_CreateString(report->arguments[i])));
    }
    add_end(root, report);
    json_add_number(root, "launches", (double)report->launches);
    cJSON *streams = json_add_object(root, "streams");
    json_add_number(streams, "work", (double)report->streams.work);
    json_add_number(streams, "bytes", (double)report->streams.bytes);
    json_add_number(streams, "longest_chain_bytes", (double)report->streams.longest);
    json_add_number(streams, "host_waits", (double)report->streams.host_waits);
    json_add_diagnostics(root, seen);
    json_add_findings(root, seen->findings, seen->finding_count);
    json_add_remarks(root, seen->remarks, seen->remark_count);
    add_machine(root, seen);
    cJSON *seconds = json_add_object(root, "seconds");
    for (size_t i = 0; i < seen->seconds_count; i++) {
        json_add_number(seconds, seen->seconds[i].name, seen->seconds[i].seconds);
    }
    json_print(root, out);
    cJSON_Delete(root);
}
