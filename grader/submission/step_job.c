/* step_job.c: see step_job.h. */
#include "submission/step_job.h"

#include "criteria/case_text.h"
#include "submission/case_program.h"

#include <string.h>

static bool has_findings(const struct observation *observation)
{
    for (size_t i = 0; i < observation->sample_count; i++) {
        if (observation->samples[i].finding_count > 0) {
            return true;
        }
    }
    return false;
}

static const struct launch_trace *trace_of(const struct submission_evidence *evidence,
                                           size_t launch)
{
    return evidence->traces == NULL ? NULL : evidence->traces[launch];
}

/* How much there is to see in a case of a launch, most last. */
enum interest {
    INTEREST_NONE,
    INTEREST_FIRST_SHAPE, /* on the program's own data */
    INTEREST_CASE,
    INTEREST_FAILED,  /* a criterion on the launch lost points */
    INTEREST_WRONG,   /* the wrong result was traced */
    INTEREST_FINDING, /* with any data */
};

static bool has_failed(const struct step_job *job, size_t launch)
{
    for (size_t i = 0; i < job->verdict_count; i++) {
        const struct verdict *verdict = &job->verdicts[i];
        bool is_failed = verdict->status == STATUS_FAILED || verdict->status == STATUS_PARTIAL;
        if (is_failed && verdict->criterion->has_launch && verdict->criterion->launch == launch) {
            return true;
        }
    }
    return false;
}

static enum interest interest_of(const struct step_job *job,
                                 const struct submission_evidence *evidence, size_t launch,
                                 const struct observation *observation)
{
    const struct launch_trace *trace = trace_of(evidence, launch);
    bool is_traced = trace != NULL && memcmp(trace->request.parameters, observation->parameters,
                                             sizeof observation->parameters) == 0;

    if (!observation->launched) {
        return INTEREST_NONE;
    }
    return has_findings(observation)             ? INTEREST_FINDING
           : observation->case_index == SIZE_MAX ? INTEREST_FIRST_SHAPE
           : is_traced                           ? INTEREST_WRONG
           : has_failed(job, launch)             ? INTEREST_FAILED
                                                 : INTEREST_CASE;
}

static const struct drawn_case *find_case(const struct step_job *job,
                                          const struct observation *observation)
{
    for (size_t i = 0; i < job->case_count; i++) {
        if (job->cases[i].case_index == observation->case_index &&
            job->cases[i].repetition == observation->repetition) {
            return &job->cases[i];
        }
    }
    return NULL;
}

/* One case of one launch, with what was seen of it. */
struct stepped_case {
    size_t launch;
    const struct observation *observation;
    enum interest interest;
};

/* The findings of all probes of the case, in their order. */
static void keep_findings(struct arena *arena, const struct launch_run *run,
                          struct block_steps *steps)
{
    size_t count = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t k = 0; k < run->observations[i].sample_count; k++) {
            count += run->observations[i].samples[k].finding_count;
        }
    }
    struct finding *findings = arena_array(arena, count + 1, sizeof *findings);
    steps->findings = findings;
    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t k = 0; k < run->observations[i].sample_count; k++) {
            const struct sample *sample = &run->observations[i].samples[k];
            for (size_t f = 0; f < sample->finding_count; f++) {
                findings[steps->finding_count++] = sample->findings[f];
            }
        }
    }
}

/* The block that writes the wrong element, where that is all that is known. */
static struct step_request request_of(const struct step_job *job,
                                      const struct submission_evidence *evidence,
                                      const struct stepped_case *of)
{
    struct step_request request = *job->config->steps;

    if (!request.has_block && of->interest == INTEREST_WRONG) {
        request.has_block = true;
        memcpy(request.block, trace_of(evidence, of->launch)->block_index, sizeof request.block);
    }
    return request;
}

static const struct block_steps *run_case(const struct step_job *job,
                                          const struct criteria_input *input,
                                          const struct submission_evidence *evidence,
                                          struct arena *arena, const struct stepped_case *of)
{
    const struct submission_config *config = job->config;
    const struct rubric_launch *launch = &config->rubric->launches[of->launch];
    const struct launch_run *before = &evidence->launch_runs[of->launch];
    struct program_job *program = &job->works[launch->program];
    const struct drawn_case *drawn = find_case(job, of->observation);
    const struct case_wanted wanted = {of->launch, of->observation->parameters,
                                       of->observation->block, before->kernel};
    const struct step_request request = request_of(job, evidence, of);
    struct diagnostic diagnostic; /* nobody asks why there are no steps */
    struct launch_run run;
    struct session_config session = {
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .oracle = program->oracle,
        .device_path = config->device_path,
        .device = {.model = job->plan->model_record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = job->plan->model.compute_major,
        .compute_minor = job->plan->model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = program->work_folder,
        .account = &program->account,
        .steps = &request,
    };

    if ((drawn == NULL && of->observation->case_index != SIZE_MAX) ||
        !program->built.build.linked ||
        case_program_provide(program, &wanted, arena, &session, &diagnostic) != ERROR_NONE ||
        !session.program->build.linked ||
        session_run_launch(&session, arena, of->launch, drawn, drawn == NULL ? 0 : 1, &run,
                           &diagnostic) != ERROR_NONE ||
        run.steps == NULL) {
        return NULL;
    }
    struct block_steps *steps = arena_alloc(arena, sizeof *steps);
    *steps = *run.steps;
    steps->case_name = shape_text(input, arena, launch, of->observation);
    steps->was_chosen = config->steps->has_block;
    steps->is_wrong = of->interest == INTEREST_WRONG;
    keep_findings(arena, &run, steps);
    return steps;
}

/* The first case of that interest, of the launches from *next on; false if there is none. */
static bool next_case(const struct step_job *job, const struct submission_evidence *evidence,
                      enum interest interest, size_t *next, struct stepped_case *out_case)
{
    for (; *next < job->config->rubric->launch_count; ++*next) {
        const struct launch_run *run = &evidence->launch_runs[*next];
        for (size_t i = 0; i < run->observation_count; i++) {
            if (interest_of(job, evidence, *next, &run->observations[i]) == interest) {
                *out_case = (struct stepped_case){(*next)++, &run->observations[i], interest};
                return true;
            }
        }
    }
    return false;
}

const struct block_steps *step_job_run(const struct step_job *job,
                                       const struct criteria_input *input,
                                       const struct submission_evidence *evidence,
                                       struct arena *arena)
{
    const struct block_steps *steps = NULL;

    if (job->plan->runs_on_gpu) {
        return NULL; /* nobody watches steps there */
    }
    for (enum interest interest = INTEREST_FINDING; interest > INTEREST_NONE && steps == NULL;
         interest--) {
        struct stepped_case of;
        size_t next = 0;
        while (steps == NULL && next_case(job, evidence, interest, &next, &of)) {
            steps = run_case(job, input, evidence, arena, &of);
        }
    }
    return steps;
}
