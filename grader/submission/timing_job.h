/* timing_job.h: times a submission's launches on a real GPU, one criterion after the other.
 *
 * It comes last: only launches that are known to be right are timed, and nothing else of this check
 * runs meanwhile. The GPU's lock is exclusive, so no other check runs on the GPU either.
 */
#ifndef GPUGRADE_SUBMISSION_TIMING_JOB_H
#define GPUGRADE_SUBMISSION_TIMING_JOB_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"
#include "submission/timing_preparation.h"

struct timing_job {
    const struct submission_config *config; /* set by the caller, down to also */
    const struct device_plan *plan;
    struct program_job *works;              /* [program_count], done */
    const struct prepared_timing *prepared; /* [criterion_count]; NULL: nothing is to be timed */
    size_t first_criterion;                 /* those before it are not timed */
    const struct criteria_input
        *also; /* evidence by which a launch must be right too; NULL: none */

    struct timing_run *timings; /* [criterion_count]; empty where nothing was timed */
    bool *used_gpus;            /* [GPUs of the plan] */
    double seconds;             /* without waiting for a GPU */
};

/* Times the launch of each criterion of `input` that is judged and needs it. If the machine cannot
 * time it, that is the timing's `trouble`; a mistake of the submission is its `failure`. Errors:
 * those of the GPU's lock. */
enum error timing_job_run(struct timing_job *work, const struct criteria_input *input,
                          struct arena *arena, struct diagnostic *diagnostic);

#endif
