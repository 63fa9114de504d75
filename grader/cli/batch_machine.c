/* batch_machine.c: see batch_machine.h. */
#include "cli/batch_machine.h"

#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { KIB_PER_JOB = 1 << 20 };

enum error batch_machine_sandbox(const struct batch_request *request, struct batch_machine *machine,
                                 struct diagnostic *diagnostic)
{
    const struct check_request *shared = &request->shared;

    return sandbox_init(shared->tier, shared->locations.helper_folder, &machine->sandbox,
                        diagnostic);
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
    enum error error = toolchain_init(&machine->sandbox, request->shared.locations.library_folder,
                                      NULL, &machine->toolchain, diagnostic);

    if (error == ERROR_NONE) {
        error = toolchain_oracle(&machine->toolchain, rubric, &oracle, diagnostic);
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
    text_printf(&all, "rubric %s\ngrader %s\nnvcc %s\n", rubric->evidence_sha256, GPUGRADE_VERSION,
                machine->toolchain.nvcc_version);
    text_printf(&all, "device %d model %s gpu %d precise %d\n", (int)request->shared.device, record,
                plan->gpus.count > 0, request->shared.is_precise);
    hash_bytes(all.bytes, all.length, hash);
    text_release(&all);
    return arena_strdup(arena, hash);
}

/* Reads the next word of a file as a number above 0; "max" and -1, no limit, are none. */
static bool read_limit(FILE *file, long long *out)
{
    char word[32];

    return file != NULL && fscanf(file, "%31s", word) == 1 &&
           text_to_integer(word, 1, LLONG_MAX, out);
}

/* Cores that a control group allows, from a file that holds "QUOTA PERIOD" (version 2) or from two
 * that hold one of them each; `otherwise` where nothing is said. */
static size_t group_cores(size_t otherwise)
{
    static const struct {
        const char *quota, *period; /* NULL: in the same file */
    } places[] = {
        {"/sys/fs/cgroup/cpu.max", NULL},
        {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"},
    };
    size_t cores = otherwise;

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        FILE *quota_file = fopen(places[i].quota, "re");
        FILE *period_file = places[i].period == NULL ? NULL : fopen(places[i].period, "re");
        FILE *second = places[i].period == NULL ? quota_file : period_file;
        long long quota, period;
        if (read_limit(quota_file, &quota) && read_limit(second, &period)) {
            cores = (size_t)(quota / period + (quota % period != 0));
        }
        if (quota_file != NULL) {
            fclose(quota_file);
        }
        if (period_file != NULL) {
            fclose(period_file);
        }
    }
    return cores < otherwise ? cores : otherwise;
}

size_t machine_cores(void)
{
    cpu_set_t set;
    size_t cores = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;

    return group_cores(cores < 1 ? 1 : cores);
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
