/* timing_work.c: see timing_work.h. */
#include "submission/timing_work.h"

#include "base/clock.h"

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
                             struct arena *arena, struct timing_run *run)
{
    run->failure = CODE_WRONG_WHEN_TIMED;
    run->failure_message =
        arena_printf(arena, "%s, each time once `%s` had run and never before: it disturbs them",
                     run->trouble, rubric->launches[task->criterion->launch].kernel);
    run->trouble = "";
}

/* Times one launch on one GPU, whose lock is held. */
static void time_on_gpu(const struct timing_work *work, const struct timing_task *task, size_t gpu,
                        struct arena *arena, struct timing_run *out_run)
{
    const struct submission_config *config = work->config;
    const struct device_plan *plan = work->plan;
    size_t program = config->rubric->launches[task->criterion->launch].program;
    struct session_resource_cache fresh = {0};
    const struct session_config session = {
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .program = &work->works[program].built,
        .device_path = config->device_path,
        .device = device_plan_gpu(plan, gpu),
        .compute_major = plan->gpus.model.compute_major,
        .compute_minor = plan->gpus.model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = work->works[program].work_folder,
        .resources = plan->has_own_model ? &fresh : &work->works[program].resources,
    };

    int spoilt = 0;

    for (int i = 0; i < ATTEMPTS && (i == 0 || out_run->trouble[0] != '\0'); i++) {
        time_once(&session, task, arena, out_run);
        spoilt += out_run->trouble[0] != '\0' && out_run->is_spoilt ? 1 : 0;
    }
    if (spoilt == ATTEMPTS) {
        blame_submission(config->rubric, task, arena, out_run);
    }
}

/* Waits for a GPU and times one criterion on it. */
static enum error time_criterion(struct timing_work *work, size_t criterion, struct arena *arena,
                                 struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    const struct prepared_timing *prepared = &work->prepared[criterion];
    struct timing_task task = {
        .criterion = &config->rubric->criteria[criterion],
        .baseline = &prepared->baseline,
        .reference = &prepared->reference,
        .baseline_config = prepared->baseline_config,
        .reference_config = prepared->reference_config,
        .budget_ns = config->is_precise ? BUDGET_PRECISE_NS : BUDGET_NS,
    };
    struct gpu_turn turn;
    enum error error =
        gpu_choice_take(&work->plan->gpus, GPU_LOCK_EXCLUSIVE, config, &turn, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (config->progress != NULL) {
        config->progress(config->progress_context, "measuring speed");
    }
    uint64_t start_ns = clock_now_ns();
    memcpy(task.parameters, prepared->parameters, sizeof task.parameters);
    time_on_gpu(work, &task, turn.gpu, arena, &work->timings[criterion]);
    gpu_lock_release(&turn.lock);
    work->used_gpus[turn.gpu] = true;
    work->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return ERROR_NONE;
}

enum error timing_work_run(struct timing_work *work, const struct criteria_input *input,
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
        error = time_criterion(work, i, arena, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}
