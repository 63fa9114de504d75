/* trace_job.h: a second look at launches that write wrong results, to find the line.
 *
 * It comes after the criteria have judged: what is right runs no more. Each launch that the
 * diagnosis wants to see is traced once, on the emulated device. Without a trace, whatever the
 * reason, a verdict has no line.
 */
#ifndef GPUGRADE_SUBMISSION_TRACE_JOB_H
#define GPUGRADE_SUBMISSION_TRACE_JOB_H

#include "diagnosis/diagnosis.h"
#include "submission/program_job.h"

struct trace_job {
    const struct submission_config *config; /* set by the caller, down to works */
    const struct device_plan *plan;
    struct program_job *works; /* [program_count], done */

    const struct launch_trace **traces; /* [launch_count]; NULL: nothing was traced */
    double seconds;
};

/* Traces what the diagnosis of the verdicts wants. `evidence` is that of `input`; its traces are
 * set. */
void trace_job_run(struct trace_job *work, const struct criteria_input *input,
                   struct submission_evidence *evidence, struct arena *arena,
                   const struct verdict *verdicts, size_t verdict_count);

#endif
