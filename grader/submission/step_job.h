/* step_job.h: runs one visible case of a submission again and logs the steps of one block, for a
 * page that replays it.
 *
 * It runs after the criteria have judged, and changes nothing of what they say. The case is the
 * first one of the first launch with a finding, or else with a result that was traced because it is
 * wrong, or else with a criterion that lost points, or else of the first launch.
 */
#ifndef GPUGRADE_SUBMISSION_STEP_JOB_H
#define GPUGRADE_SUBMISSION_STEP_JOB_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"

struct step_job {
    const struct submission_config *config; /* config->steps is set */
    const struct device_plan *plan;
    struct program_job *works;      /* [program_count], done */
    const struct drawn_case *cases; /* [case_count], visible */
    size_t case_count;
    const struct verdict *verdicts; /* [verdict_count] */
    size_t verdict_count;
};

/* NULL if there are no steps: no launch of the kernel has the block, or none is reached. */
const struct block_steps *step_job_run(const struct step_job *job,
                                       const struct criteria_input *input,
                                       const struct submission_evidence *evidence,
                                       struct arena *arena);

#endif
