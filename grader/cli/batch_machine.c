/* batch_machine.c: see batch_machine.h. */
#include "cli/batch_machine.h"

#include "base/file.h"
#include "base/machine_cores.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { KIB_PER_JOB = 1 << 20 };

enum error batch_machine_sandbox(const struct batch_request *request, struct batch_machine *machine,
                                 struct diagnostic *diagnostic)
{
    const struct check_request *shared = &request->shared;

    return locations_sandbox(&shared->locations, shared->tier, &machine->sandbox, diagnostic);
}

static enum error plan_devices(const struct batch_request *request, const struct rubric *rubric,
                               struct arena *arena, struct batch_machine *machine,
                               struct diagnostic *diagnostic)
{
    const struct submission_config config = {
        .rubric = rubric,
        .device_path = request->shared.locations.device_path,
        .device = request->shared.device,
        .gpu_model = request->shared.gpu_model,
        .gpus = request->shared.gpus,
        .gpu_count = request->shared.gpu_count,
    };
    struct device_planning *planning = device_planning_start(&config);
    enum error error = device_planning_wait(planning, &machine->plan, diagnostic);

    device_planning_end(planning, arena); /* the plan moves to the arena */
    return error;
}

enum error batch_machine_tools(const struct batch_request *request, const struct rubric *rubric,
                               struct arena *arena, struct batch_machine *machine,
                               struct diagnostic *diagnostic)
{
    const struct oracle *oracle = NULL;
    const struct toolchain_setup setup = locations_toolchain(
        &request->shared.locations, request->shared.compiler, &machine->sandbox);
    enum error error = toolchain_init(&setup, &machine->toolchain, diagnostic);

    if (error == ERROR_NONE) {
        error = toolchain_oracle(&machine->toolchain, arena, rubric, &oracle, diagnostic);
    }
    return error != ERROR_NONE ? error : plan_devices(request, rubric, arena, machine, diagnostic);
}

const char *batch_machine_evidence(const struct batch_request *request, const struct rubric *rubric,
                                   const struct batch_machine *machine, struct arena *arena)
{
    const struct device_plan *plan = machine->plan;
    struct text all;
    char record[65];
    char hash[65];

    text_init(&all);
    hash_bytes(plan->model_record, sizeof plan->model_record, record);
    text_printf(&all, "rubric %s\ngrader %s\ncompiler %s\n", rubric->evidence_sha256,
                GPUGRADE_VERSION, machine->toolchain.compiler.name);
    text_printf(&all, "device %d model %s gpu %d precise %d\n", (int)request->shared.device, record,
                plan->gpus.count > 0, request->shared.is_precise);
    hash_bytes(all.bytes, all.length, hash);
    text_release(&all);
    return arena_strdup(arena, hash);
}

size_t machine_jobs(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    size_t jobs = machine_cores();
    char line[128], word[32];
    long long kib;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %31s", word) == 1 &&
            text_to_integer(word, 0, LLONG_MAX, &kib) && (size_t)kib / KIB_PER_JOB < jobs) {
            jobs = (size_t)kib / KIB_PER_JOB;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return jobs < 1 ? 1 : jobs;
}
