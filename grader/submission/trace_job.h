/* trace_job.h: a second look at launches that write wrong results, to find the line.
 *
 * It comes after the criteria have judged: what is right runs no more. Each launch that a criterion
 * wants to see is traced once, on the emulated device, and the criteria that wanted it are judged
 * again. Without a trace, whatever the reason, a verdict stays as it is.
 */
#ifndef GPUGRADE_SUBMISSION_TRACE_JOB_H
#define GPUGRADE_SUBMISSION_TRACE_JOB_H

#include "criteria/criteria.h"
#include "submission/program_job.h"

struct trace_job {
    const struct submission_config *config; /* set by the caller, down to works */
    const struct device_plan *plan;
    struct program_job *works; /* [program_count], done */

    const struct launch_trace **traces; /* [launch_count]; NULL: nothing was traced */
    double seconds;
};

/* Traces what the criteria of the verdicts want and judges those again, in place. `evidence` is
 * that of `input`; its traces are set. */
void trace_job_run(struct trace_job *work, const struct criteria_input *input,
                   struct submission_evidence *evidence, struct arena *arena,
                   struct verdict *verdicts, size_t verdict_count);

#endif
