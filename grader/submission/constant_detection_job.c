/* constant_detection_job.c: see constant_detection_job.h. */
#include "submission/constant_detection_job.h"

#include "base/clock.h"
#include "criteria/criteria.h"

#include <pthread.h>
#include <string.h>

/* One print run; side by side with the others, so that it shares nothing that changes. */
struct ask {
    const struct constant_detection_job *work;
    const struct rubric_printout *printout;
    struct gpu_model model;
    struct arena *arena; /* what the run needs, adopted later */
    struct print_run run;
    enum error error;
    struct diagnostic diagnostic;
    pthread_t thread;
    bool is_started;
};

/* Has the program of a printout print on another GPU. */
static void *print_there(void *context)
{
    struct ask *ask = context;
    const struct submission_config *config = ask->work->config;
    struct program_job *program = &ask->work->works[ask->printout->program];
    const size_t module_count = program->built.code.module_count;
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct session_resource_cache resources = {0};
    const struct session_config session = {
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .program = &program->built,
        .device_path = config->device_path,
        .device = {.model = record, .model_bytes = sizeof record},
        .compute_major = ask->model.compute_major,
        .compute_minor = ask->model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = program->work_folder,
        .resources = &resources,
    };

    if (program->resources.modules != NULL) {
        resources.modules = arena_array(ask->arena, module_count, sizeof *resources.modules);
        memcpy(resources.modules, program->resources.modules,
               module_count * sizeof *resources.modules);
    }
    gpu_model_pack(&ask->model, record);
    core_pool_take(ask->work->pool);
    ask->error =
        session_run_print(&session, ask->arena, ask->printout, &ask->run, &ask->diagnostic);
    core_pool_give(ask->work->pool);
    return NULL;
}

/* Asks all programs side by side; error: the first ask's that has one. */
static enum error run_all(struct ask *asks, size_t count, struct arena *arena,
                          struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < count; i++) {
        asks[i].arena = arena_new();
        asks[i].is_started = pthread_create(&asks[i].thread, NULL, print_there, &asks[i]) == 0;
        if (!asks[i].is_started) {
            (void)print_there(&asks[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (asks[i].is_started) {
            pthread_join(asks[i].thread, NULL);
        }
        arena_adopt(arena, asks[i].arena);
        if (error == ERROR_NONE && asks[i].error != ERROR_NONE) {
            error = asks[i].error;
            *diagnostic = asks[i].diagnostic;
        }
    }
    return error;
}

/* Appends an ask for each GPU that the criterion wants. */
static size_t add_asks(const struct constant_detection_job *work, struct arena *arena,
                       const struct verdict *verdict, struct ask *out_asks)
{
    const struct rubric *rubric = work->config->rubric;
    size_t count = 0;
    struct gpu_model model;

    while (count < OTHER_GPUS_MAX &&
           criterion_wants_constant_detection(work->input, arena, verdict, count, &model)) {
        out_asks[count++] =
            (struct ask){.work = work,
                         .printout = &rubric->printouts[verdict->criterion->printout],
                         .model = model};
    }
    return count;
}

enum error constant_detection_job_run(struct constant_detection_job *work, struct arena *arena,
                                      struct verdict *verdicts, size_t verdict_count,
                                      struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    const uint64_t start_ns = clock_now_ns();
    struct other_prints *prints = arena_array(arena, rubric->criterion_count, sizeof *prints);
    struct ask *asks = arena_array(arena, verdict_count * OTHER_GPUS_MAX, sizeof *asks);
    size_t count = 0;

    work->evidence->other_prints = prints;
    for (size_t i = 0; i < verdict_count; i++) {
        struct other_prints *of = &prints[verdicts[i].criterion - rubric->criteria];
        of->count = add_asks(work, arena, &verdicts[i], asks + count);
        count += of->count;
    }
    enum error error = run_all(asks, count, arena, diagnostic);
    struct print_run *runs = arena_array(arena, count, sizeof *runs);
    for (size_t i = 0; i < count; i++) {
        runs[i] = asks[i].run;
    }
    for (size_t i = 0; i < verdict_count && error == ERROR_NONE; i++) {
        struct other_prints *of = &prints[verdicts[i].criterion - rubric->criteria];
        of->runs = runs;
        runs += of->count;
        if (of->count > 0) {
            criterion_judge(work->input, arena, verdicts[i].criterion, &verdicts[i]);
        }
    }
    work->seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}
