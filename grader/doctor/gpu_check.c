/* gpu_check.c: the real GPUs that the driver lists, and what nvidia-smi knows of their state; see
 * doctor_state.h. */
#include "doctor/doctor_state.h"
#include "doctor/gpu_state.h"
#include "occupancy/gpu_model_record.h"
#include "session/session.h"

#include <string.h>
#include <unistd.h>

static const char *find_smi(void)
{
    static const char *const paths[] = {"/usr/bin/nvidia-smi", "/usr/local/bin/nvidia-smi"};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (access(paths[i], X_OK) == 0) {
            return paths[i];
        }
    }
    return NULL;
}

static void note_state(struct doctor *doctor, const struct gpu_state *state, size_t programs)
{
    struct arena *arena = doctor->arena;
    const char *name = arena_printf(arena, "%.16s", state->uuid);
    bool is_off = strcmp(state->persistence, "Disabled") == 0;
    bool has_mig = strcmp(state->mig, "Enabled") == 0;
    const char *advice =
        is_off ? "as root: nvidia-smi -pm 1, otherwise the first launches are slow" : "";

    if (programs > 0) {
        advice = "wait for other programs on the GPU to end before you measure speed";
    }
    doctor_note(doctor, DOCTOR_GPU, name,
                is_off || has_mig || programs > 0 ? DOCTOR_NOTE : DOCTOR_PASS,
                arena_printf(
                    arena, "persistence %s, MIG %s, ECC %s, SM %s of %s, %s C, %zu other program%s",
                    state->persistence, state->mig, state->ecc, state->clock, state->clock_max,
                    state->temperature, programs, programs == 1 ? "" : "s"),
                advice);
}

static void ask_smi(struct doctor *doctor)
{
    const char *smi = find_smi();
    const char *const state_query[] = {smi, "--query-gpu=" GPU_STATE_FIELDS,
                                       "--format=csv,noheader", NULL};
    const char *const program_query[] = {smi, "--query-compute-apps=gpu_uuid,pid",
                                         "--format=csv,noheader", NULL};
    struct gpu_state state;

    if (smi == NULL) {
        doctor_note(doctor, DOCTOR_GPU, "state", DOCTOR_NOTE,
                    "clocks, persistence, MIG and ECC are unknown: there is no nvidia-smi", "");
        return;
    }
    const char *list = tool_output(doctor->arena, state_query);
    const char *programs = tool_output(doctor->arena, program_query);
    if (list == NULL) {
        doctor_note(doctor, DOCTOR_GPU, "state", DOCTOR_NOTE, "nvidia-smi does not answer", "");
        return;
    }
    while (gpu_state_read(&list, &state)) {
        note_state(doctor, &state, programs == NULL ? 0 : gpu_state_programs(programs, state.uuid));
    }
}

static void note_gpu(struct doctor *doctor, const struct session_gpu *listed,
                     struct doctor_gpu *out_gpu)
{
    struct gpu_model model;

    *out_gpu = (struct doctor_gpu){
        .name = "", .uuid = listed->uuid, .driver_version = listed->driver_version};
    if (!gpu_model_unpack(listed->model, listed->model_bytes, &model)) {
        doctor_note(doctor, DOCTOR_GPU, listed->uuid, DOCTOR_NOTE, "its properties cannot be read",
                    "");
        return;
    }
    out_gpu->name = arena_strdup(doctor->arena, model.device_name);
    out_gpu->memory_bytes = model.global_memory_bytes;
    out_gpu->compute_major = model.compute_major;
    out_gpu->compute_minor = model.compute_minor;
    bool is_old = model.compute_major * 10 + model.compute_minor < 75;
    doctor_note(doctor, DOCTOR_GPU, out_gpu->name, is_old ? DOCTOR_NOTE : DOCTOR_PASS,
                arena_printf(doctor->arena, "%s, %llu MB, compute %u.%u, driver for CUDA %u.%u",
                             listed->uuid, (unsigned long long)(model.global_memory_bytes >> 20),
                             model.compute_major, model.compute_minor,
                             listed->driver_version / 1000, listed->driver_version % 1000 / 10),
                is_old ? "speed needs a GPU of compute capability 7.5 or more" : "");
}

void doctor_check_gpus(struct doctor *doctor, struct doctor_report *report)
{
    struct diagnostic diagnostic = {.message = ""};
    const struct session_gpu *listed = NULL;
    const char *reason = "";
    size_t count = 0;

    if (session_list_gpus(doctor->config->device_path, doctor->arena, &listed, &count, &reason,
                          &diagnostic) != ERROR_NONE) {
        doctor_note(doctor, DOCTOR_GPU, "GPUs", DOCTOR_NOTE, diagnostic.message,
                    "without a GPU, only the marks for speed are left out");
        return;
    }
    if (count == 0) {
        doctor_note(doctor, DOCTOR_GPU, "GPUs", DOCTOR_NOTE,
                    arena_printf(doctor->arena, "none (%s); marks for speed are left out", reason),
                    "");
        return;
    }
    struct doctor_gpu *gpus = arena_array(doctor->arena, count, sizeof *gpus);
    for (size_t i = 0; i < count; i++) {
        note_gpu(doctor, &listed[i], &gpus[i]);
    }
    report->gpus = gpus;
    report->gpu_count = count;
    ask_smi(doctor);
}
