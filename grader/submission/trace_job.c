/* trace_job.c: see trace_job.h. */
#include "submission/trace_job.h"

#include "base/clock.h"
#include "submission/case_session.h"

static const struct launch_trace *trace_once(const struct trace_job *work, struct arena *arena,
                                             const struct launch_run *run,
                                             const struct trace_request *request)
{
    const struct case_wanted wanted = {request->launch, request->parameters, request->block,
                                       run->kernel};
    struct session_config session;

    return case_session_make(work->config, work->plan,
                             &work->works[work->config->rubric->launches[wanted.launch].program],
                             run, &wanted, arena, &session)
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
            case_session_make(work->config, work->plan,
                              &work->works[work->config->rubric->launches[wanted.launch].program],
                              run, &wanted, arena, &session)) {
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
