/* trace_job.c: see trace_job.h. */
#include "submission/trace_job.h"

#include "base/clock.h"
#include "submission/case_program.h"

/* A session that runs the program of one case once more, on the device that it ran on before; false
 * if the program does not build. */
static bool session_again(const struct trace_job *work, struct arena *arena,
                          const struct launch_run *run, const struct case_wanted *wanted,
                          struct session_config *out_session)
{
    const struct submission_config *config = work->config;
    const struct device_plan *plan = work->plan;
    struct program_job *program = &work->works[config->rubric->launches[wanted->launch].program];
    struct diagnostic diagnostic; /* nobody asks why there is no trace */

    *out_session = (struct session_config){
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .oracle = program->oracle,
        .device_path = config->device_path,
        .device = {.model = plan->model_record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = plan->model.compute_major,
        .compute_minor = plan->model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = program->work_folder,
        .account = &program->account,
        .kernel = run->kernel,
        .launch_number = session_launch_number(run, wanted->parameters, wanted->block),
    };
    return program->built.build.linked &&
           case_program_provide(program, wanted, arena, out_session, &diagnostic) == ERROR_NONE &&
           out_session->program->build.linked;
}

static const struct launch_trace *trace_once(const struct trace_job *work, struct arena *arena,
                                             const struct launch_run *run,
                                             const struct trace_request *request)
{
    const struct case_wanted wanted = {request->launch, request->parameters, request->block,
                                       run->kernel};
    struct session_config session;

    return session_again(work, arena, run, &wanted, &session)
               ? session_trace_launch(&session, arena, request)
               : NULL;
}

/* Makes one call of a launch again and asks where values come from. */
static void follow_once(const struct trace_job *work, struct arena *arena,
                        const struct launch_run *run, struct followed_call *followed)
{
    const struct case_wanted wanted = {followed->launch, followed->parameters, followed->block,
                                       run->kernel};
    struct session_config session;
    struct launch_run again;
    struct diagnostic diagnostic;

    for (size_t i = 0; i < work->case_count; i++) {
        const struct drawn_case *drawn = &work->cases[i];
        if (drawn->case_index == followed->case_index &&
            drawn->repetition == followed->repetition &&
            session_again(work, arena, run, &wanted, &session)) {
            session.follows = followed;
            (void)session_run_launch(&session, arena, followed->launch, drawn, 1, &again,
                                     &diagnostic);
            return;
        }
    }
}

/* Traces a launch that can be, unless that was tried before. */
static void trace_launch(struct trace_job *work, struct arena *arena,
                         const struct submission_evidence *evidence, bool *tried,
                         const struct trace_request *request)
{
    const struct rubric_launch *launch = &work->config->rubric->launches[request->launch];

    if (tried[request->launch] || launch_is_program(launch)) {
        return; /* where a whole program has its inputs is not known */
    }
    if (work->config->progress != NULL) {
        work->config->progress(work->config->progress_context, "looking for the wrong line");
    }
    uint64_t start_ns = clock_now_ns();
    tried[request->launch] = true;
    work->traces[request->launch] =
        trace_once(work, arena, &evidence->launch_runs[request->launch], request);
    work->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
}

/* The same for the lines that the values of a call come from. */
static void follow_call(struct trace_job *work, struct arena *arena,
                        const struct submission_evidence *evidence, bool *tried,
                        const struct followed_call *request)
{
    struct followed_call *followed = arena_alloc(arena, sizeof *followed);

    if (tried[request->launch]) {
        return;
    }
    uint64_t start_ns = clock_now_ns();
    tried[request->launch] = true;
    *followed = *request;
    follow_once(work, arena, &evidence->launch_runs[request->launch], followed);

    work->followed[request->launch] = followed;
    work->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
}

void trace_job_run(struct trace_job *work, const struct criteria_input *input,
                   struct submission_evidence *evidence, struct arena *arena,
                   const struct verdict *verdicts, size_t verdict_count)
{
    const struct rubric *rubric = work->config->rubric;
    bool *tried = arena_array(arena, rubric->launch_count, sizeof *tried);
    bool *was_followed = arena_array(arena, rubric->launch_count, sizeof *was_followed);

    if (work->plan->runs_on_gpu) {
        return; /* nobody watches accesses there */
    }
    work->traces = arena_array(arena, rubric->launch_count, sizeof(*work->traces));
    work->followed = arena_array(arena, rubric->launch_count, sizeof(*work->followed));
    for (size_t i = 0; i < verdict_count; i++) {
        struct trace_request request;
        if (diagnosis_wants_trace(input, arena, &verdicts[i], &request)) {
            trace_launch(work, arena, evidence, tried, &request);
            evidence->traces = work->traces;
        }
        struct followed_call follow;
        if (diagnosis_wants_origins(input, arena, &verdicts[i], &follow)) {
            follow_call(work, arena, evidence, was_followed, &follow);
            evidence->followed = work->followed;
        }
    }
}
