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

enum error other_gpu_work_run(struct other_gpu_work *work, struct arena *arena,
                              struct verdict *verdicts, size_t verdict_count,
                              struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    const uint64_t start_ns = clock_now_ns();
    const struct print_run **runs = arena_array(arena, rubric->criterion_count, sizeof(*runs));
    enum error error = ERROR_NONE;

    work->evidence->other_prints = runs;
    for (size_t i = 0; i < verdict_count && error == ERROR_NONE; i++) {
        const struct rubric_criterion *criterion = verdicts[i].criterion;
        struct print_run *run = NULL;
        struct gpu_model model;

        if (!criterion_wants_other_gpu(work->input, arena, &verdicts[i], &model)) {
            continue;
        }
        run = arena_alloc(arena, sizeof *run);
        error = print_there(work, arena, &rubric->printouts[criterion->printout], &model, run,
                            diagnostic);
        if (error == ERROR_NONE) {
            runs[criterion - rubric->criteria] = run;
            criterion_judge(work->input, arena, criterion, &verdicts[i]);
        }
    }
    work->seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}
