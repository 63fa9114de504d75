/* other_gpu_work.c: see other_gpu_work.h. */
#include "submission/other_gpu_work.h"

#include "base/clock.h"

/* Has the program of one criterion print on another GPU. */
static enum error print_there(const struct other_gpu_work *work, struct arena *arena,
                              const struct rubric_printout *printout, const struct gpu_model *model,
                              struct print_run *out_run, struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    struct program_work *program = &work->works[printout->program];
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    const struct session_config session = {
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .program = &program->built,
        .device_path = config->device_path,
        .device = {.model = record, .model_bytes = sizeof record},
        .compute_major = model->compute_major,
        .compute_minor = model->compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = program->work_folder,
        .resources = &program->resources,
    };

    gpu_model_pack(model, record);
    return session_run_print(&session, arena, printout->arguments, printout->argument_count,
                             out_run, diagnostic);
}

/* Asks one criterion's program on each GPU that the criterion wants, until it fails on one. */
static enum error ask_all(const struct other_gpu_work *work, struct arena *arena,
                          struct verdict *verdict, struct other_prints *prints,
                          struct diagnostic *diagnostic)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct print_run *runs = NULL;
    struct gpu_model model;
    enum error error = ERROR_NONE;

    while (prints->count < OTHER_GPUS_MAX &&
           criterion_wants_other_gpu(work->input, arena, verdict, prints->count, &model)) {
        if (runs == NULL) {
            runs = arena_array(arena, OTHER_GPUS_MAX, sizeof *runs);
            prints->runs = runs;
        }
        error = print_there(work, arena, &work->config->rubric->printouts[criterion->printout],
                            &model, &runs[prints->count], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        prints->count++;
        criterion_judge(work->input, arena, criterion, verdict);
    }
    return ERROR_NONE;
}

enum error other_gpu_work_run(struct other_gpu_work *work, struct arena *arena,
                              struct verdict *verdicts, size_t verdict_count,
                              struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    const uint64_t start_ns = clock_now_ns();
    struct other_prints *prints = arena_array(arena, rubric->criterion_count, sizeof *prints);
    enum error error = ERROR_NONE;

    work->evidence->other_prints = prints;
    for (size_t i = 0; i < verdict_count && error == ERROR_NONE; i++) {
        struct other_prints *of = &prints[verdicts[i].criterion - rubric->criteria];
        error = ask_all(work, arena, &verdicts[i], of, diagnostic);
    }
    work->seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}
