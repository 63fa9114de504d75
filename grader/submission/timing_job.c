/* timing_job.c: see timing_job.h. */
#include "submission/timing_job.h"

#include "base/clock.h"
#include "criteria/criteria.h"
#include "model/case.h"
#include "submission/case_program.h"

#include <string.h>

enum {
    /* A submission's kernel may have spoilt the process for the grader's own launches: trouble is
     * believed if it comes again in another process, and is the submission's if each time the same
     * launches had run before its kernel did. */
    ATTEMPTS = 2
};

#define BUDGET_NS (UINT64_C(2) * CLOCK_NS_PER_S)
#define BUDGET_PRECISE_NS (UINT64_C(15) * CLOCK_NS_PER_S)

/* One attempt; an error is the machine's trouble with this timing alone. */
static void time_once(const struct session_config *session, const struct timing_task *task,
                      struct arena *arena, struct timing_run *out_run)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (session_time_launch(session, arena, task, out_run, &diagnostic) != ERROR_NONE) {
        *out_run = (struct timing_run){
            .ran = true,
            .trouble = arena_printf(arena, "the launch cannot be timed: %s", diagnostic.message),
        };
        memcpy(out_run->parameters, task->parameters, sizeof out_run->parameters);
    }
}

/* The grader's own launches failed, in fresh processes, whenever the submission's had run. */
static void blame_submission(const struct rubric *rubric, const struct timing_task *task,
                             const char *kernel, struct arena *arena, struct timing_run *run)
{
    run->failure = CODE_WRONG_WHEN_TIMED;
    run->failure_message = arena_printf(
        arena, "%s, each time after `%s` had run and never before: it disturbs them", run->trouble,
        kernel != NULL ? kernel : rubric->launches[task->criterion->launch].kernel);
    run->trouble = "";
}

/* The session of a launch that is timed, but for the GPU: a whole program is built for the shape.
 */
static enum error prepare_session(const struct timing_job *work, const struct launch_run *run,
                                  const struct timing_task *task, struct arena *arena,
                                  struct session_config *out_session, struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    const struct rubric_launch *launch = &config->rubric->launches[task->criterion->launch];
    struct drawn_case shape = {.case_index = SIZE_MAX};
    struct case_wanted wanted = {.launch = task->criterion->launch, .parameters = task->parameters};

    memcpy(shape.units, task->parameters, sizeof shape.units); /* those that count have no unit */
    wanted.block = case_block(config->rubric, launch, &shape);
    if (run != NULL) {
        wanted.block = wanted.block != 0 ? wanted.block : case_program_learnt_block_width(run);
        wanted.kernel = run->kernel;
    }
    *out_session = (struct session_config){
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .device_path = config->device_path,
        .compute_major = work->plan->gpus.model.compute_major,
        .compute_minor = work->plan->gpus.model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = work->works[launch->program].work_folder,
        .oracle = work->works[launch->program].oracle,
    };
    enum error error = case_program_provide(&work->works[launch->program], &wanted, arena,
                                            out_session, diagnostic);
    if (error == ERROR_NONE && launch->input_count > 0) {
        out_session->block = 0; /* its first shape tells it */
    } else if (error == ERROR_NONE && run != NULL) {
        out_session->launch_number = session_launch_number(run, task->parameters, wanted.block);
    }
    if (work->plan->has_own_model) { /* what ptxas said is of another model */
        out_session->resources = arena_alloc(arena, sizeof *out_session->resources);
        out_session->first_build = NULL;
    }
    return error;
}

/* Times one launch on one GPU, whose lock is held. */
static void time_on_gpu(const struct timing_job *work, const struct session_config *session,
                        const struct timing_task *task, struct arena *arena,
                        struct timing_run *out_run)
{
    int spoilt = 0;

    for (int i = 0; i < ATTEMPTS && (i == 0 || out_run->trouble[0] != '\0'); i++) {
        time_once(session, task, arena, out_run);
        spoilt += out_run->trouble[0] != '\0' && out_run->is_spoilt ? 1 : 0;
    }
    if (spoilt == ATTEMPTS) {
        blame_submission(work->config->rubric, task, session->kernel, arena, out_run);
    }
}

/* A program that was built for the sizes of its cases, and cannot be for those that are timed. */
static void note_no_program(const struct program_build *build, const struct timing_task *task,
                            struct timing_run *out_run)
{
    bool has_error = build->message_count > 0 && build->messages[0].is_error;

    *out_run = (struct timing_run){
        .ran = true,
        .trouble = "",
        .failure = CODE_CASE_COMPILE_ERROR,
        .failure_message = has_error ? build->messages[0].message : code_title(build->failure),
    };
    memcpy(out_run->parameters, task->parameters, sizeof out_run->parameters);
}

/* Waits for a GPU and times one criterion on it. */
static enum error time_criterion(struct timing_job *work, const struct criteria_input *input,
                                 size_t criterion, struct arena *arena,
                                 struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    const struct prepared_timing *prepared = &work->prepared[criterion];
    const struct rubric_criterion *of = &config->rubric->criteria[criterion];
    struct timing_task task = {
        .criterion = of,
        .baseline = &prepared->baseline,
        .reference = &prepared->reference,
        .baseline_config = prepared->baseline_config,
        .reference_config = prepared->reference_config,
        .budget_ns = config->is_precise ? BUDGET_PRECISE_NS : BUDGET_NS,
    };
    const struct launch_run *run =
        input->evidence != NULL ? &input->evidence->launch_runs[of->launch] : NULL;
    struct session_config session;
    struct gpu_turn turn;

    memcpy(task.parameters, prepared->parameters, sizeof task.parameters);
    enum error error = prepare_session(work, run, &task, arena, &session, diagnostic);
    if (error == ERROR_NONE && !session.program->build.linked) {
        note_no_program(&session.program->build, &task, &work->timings[criterion]);
        return ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        error = gpu_choice_take(&work->plan->gpus, GPU_LOCK_EXCLUSIVE, config, &turn, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (config->progress != NULL) {
        config->progress(config->progress_context, "measuring speed");
    }
    uint64_t start_ns = clock_now_ns();
    session.device = device_plan_gpu(work->plan, turn.gpu);
    time_on_gpu(work, &session, &task, arena, &work->timings[criterion]);
    gpu_lock_release(&turn.lock);
    work->used_gpus[turn.gpu] = true;
    work->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return ERROR_NONE;
}

enum error timing_job_run(struct timing_job *work, const struct criteria_input *input,
                          struct arena *arena, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    const char *only = work->config->only;
    enum error error = ERROR_NONE;

    work->timings = arena_array(arena, rubric->criterion_count, sizeof *work->timings);
    work->used_gpus = arena_array(arena, work->plan->gpus.count, sizeof *work->used_gpus);
    for (size_t i = work->first_criterion; i < rubric->criterion_count && work->prepared != NULL;
         i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        bool is_judged = only == NULL || strcmp(only, criterion->id) == 0;

        if (!is_judged || !criterion_wants_timing(input, arena, criterion) ||
            (work->also != NULL && !criterion_wants_timing(work->also, arena, criterion))) {
            continue;
        }
        if (work->prepared[i].trouble[0] != '\0') {
            work->timings[i].trouble = work->prepared[i].trouble;
            memcpy(work->timings[i].parameters, work->prepared[i].parameters,
                   sizeof work->timings[i].parameters);
            continue;
        }
        error = time_criterion(work, input, i, arena, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}
