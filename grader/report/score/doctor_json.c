/* doctor_json.c: the doctor's report, written key by key in a fixed order; see doctor_json.h. */
#include "report/score/doctor_json.h"

#include "report/score/json_parts.h"

static const char *const group_words[] = {
    [DOCTOR_TOOLS] = "tools",     [DOCTOR_FOLDERS] = "folders", [DOCTOR_SANDBOX] = "sandbox",
    [DOCTOR_GRADING] = "grading", [DOCTOR_GPU] = "gpu",         [DOCTOR_TIMING] = "timing",
};

static const char *const status_words[] = {
    [DOCTOR_PASS] = "pass",
    [DOCTOR_NOTE] = "note",
    [DOCTOR_FAIL] = "fail",
};

static const char *const result_words[] = {
    [WITNESS_HELD] = "held",
    [WITNESS_OPEN] = "open",
    [WITNESS_EXPECTED] = "expected_open",
    [WITNESS_NOT_TRIED] = "not_tried",
    [WITNESS_BROKEN] = "broken",
};

static const char *const control_words[] = {
    [CONTROL_RUN_NONE] = "none",
    [CONTROL_RUN_OPEN] = "open",
    [CONTROL_RUN_REFUSED] = "refused",
};

static void add_checks(cJSON *root, const struct doctor_report *report)
{
    cJSON *array = json_add_array(root, "checks");

    for (size_t i = 0; i < report->check_count; i++) {
        const struct doctor_check *check = &report->checks[i];
        cJSON *object = json_append_object(array);
        json_add_text(object, "group", group_words[check->group]);
        json_add_text(object, "name", check->name);
        json_add_text(object, "status", status_words[check->status]);
        json_add_text(object, "found", check->found);
        json_add_text(object, "advice", check->advice);
    }
}

static void add_sandbox(cJSON *root, const struct doctor_report *report)
{
    cJSON *sandbox = json_add_object(root, "sandbox");

    json_add_text(sandbox, "tier", report->tier);
    json_add_text(sandbox, "memory", report->memory);
    json_add_boolean(sandbox, "own_user", report->own_user);
    json_add_boolean(sandbox, "filters_calls", report->filters_calls);
    json_add_boolean(sandbox, "confines_device", report->confines_device);
    json_add_number(sandbox, "landlock_abi", report->landlock_abi);
    json_add_text(sandbox, "note", report->note);
    cJSON *tiers = json_add_array(sandbox, "tiers");
    for (size_t i = 0; i < report->tier_count; i++) {
        cJSON *object = json_append_object(tiers);
        json_add_text(object, "tier", report->tiers[i].name);
        json_add_boolean(object, "works", report->tiers[i].works);
        json_add_text(object, "reason", report->tiers[i].reason);
    }
}

static void add_denials(cJSON *root, const struct doctor_report *report)
{
    cJSON *array = json_add_array(root, "denials");

    for (size_t i = 0; i < report->denial_count; i++) {
        const struct doctor_denial *denial = &report->denials[i];
        cJSON *object = json_append_object(array);
        json_add_text(object, "name", denial->name);
        json_add_text(object, "tried", denial->tried);
        json_add_text(object, "result", result_words[denial->result]);
        json_add_text(object, "control", control_words[denial->control]);
        json_add_text(object, "seen", denial->seen);
    }
}

/* The keys and units of a rubric. */
static void add_limits(cJSON *root, const struct limits *limits)
{
    static const double second = 1e9;
    static const double mebibyte = 1024 * 1024;
    cJSON *object = json_add_object(root, "limits");

    json_add_number(object, "compile_seconds", (double)limits->compile_wall_ns / second);
    json_add_number(object, "compile_memory_mb", (double)limits->compile_memory_bytes / mebibyte);
    json_add_number(object, "program_seconds", (double)limits->program_wall_ns / second);
    json_add_number(object, "program_cpu_seconds", (double)limits->program_cpu_ns / second);
    json_add_number(object, "program_memory_mb", (double)limits->program_memory_bytes / mebibyte);
    json_add_number(object, "program_processes", limits->program_processes);
    json_add_number(object, "program_output_kb", (double)limits->program_output_bytes / 1024);
    json_add_number(object, "program_file_mb", (double)limits->program_file_bytes / mebibyte);
    json_add_number(object, "launch_seconds_emulated", (double)limits->launch_emulated_ns / second);
    json_add_number(object, "launch_seconds_cuda", (double)limits->launch_cuda_ns / second);
    json_add_number(object, "device_memory_mb", (double)limits->device_memory_bytes / mebibyte);
    json_add_number(object, "grader_memory_mb", (double)limits->grader_memory_bytes / mebibyte);
    json_add_number(object, "grader_cpu_seconds", (double)limits->grader_cpu_ns / second);
}

static void add_gpus(cJSON *root, const struct doctor_report *report)
{
    cJSON *array = json_add_array(root, "gpus");

    for (size_t i = 0; i < report->gpu_count; i++) {
        const struct doctor_gpu *gpu = &report->gpus[i];
        cJSON *object = json_append_object(array);
        json_add_text(object, "name", gpu->name);
        json_add_text(object, "uuid", gpu->uuid);
        json_add_number(object, "memory_bytes", (double)gpu->memory_bytes);
        json_add_number(object, "compute_major", gpu->compute_major);
        json_add_number(object, "compute_minor", gpu->compute_minor);
        json_add_number(object, "driver", gpu->driver_version);
    }
}

void doctor_json(const struct doctor_report *report, struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());

    json_add_text(root, "schema", "gpugrade/doctor/v1");
    json_add_boolean(root, "sound", report->is_sound);
    cJSON *reasons = json_add_array(root, "reasons");
    for (size_t i = 0; i < report->reason_count; i++) {
        cJSON_AddItemToArray(reasons, json_made(cJSON_CreateString(report->reasons[i])));
    }
    cJSON *tools = json_add_object(root, "tools");
    json_add_text(tools, "gpugrade", report->grader_version);
    json_add_text(tools, "cuda", report_cuda_version(report->compiler));
    json_add_text(tools, "compiler", report->compiler);
    add_checks(root, report);
    add_sandbox(root, report);
    add_denials(root, report);
    add_limits(root, &report->limits);
    add_gpus(root, report);
    json_add_number(root, "seconds", report->seconds);
    json_print(root, out);
    cJSON_Delete(root);
}
