/* trace_job.h: examines launches that write wrong results again, to find the line at fault.
 *
 * It runs after the criteria have judged; launches that are right do not run again. Each launch
 * that the diagnosis asks for is traced once, on the emulated device, and a call whose trace shows
 * no line is made again to follow its values. If there is neither, for whatever reason, the
 * verdict has no line.
 */
#ifndef GPUGRADE_SUBMISSION_TRACE_JOB_H
#define GPUGRADE_SUBMISSION_TRACE_JOB_H

#include "diagnosis/diagnosis.h"
#include "submission/program_job.h"

struct trace_job {
    const struct submission_config *config; /* set by the caller, down to works */
    const struct device_plan *plan;
    struct program_job *works;      /* [program_count], done */
    const struct drawn_case *cases; /* [case_count] that were run */
    size_t case_count;

    const struct launch_trace **traces;    /* [launch_count]; NULL: nothing was traced */
    const struct followed_call **followed; /* [launch_count]; NULL likewise */
    double seconds;
};

/* Traces what the diagnosis of the verdicts asks for. `evidence` is that of `input`; this sets its
 * traces and what was followed. */
void trace_job_run(struct trace_job *work, const struct criteria_input *input,
                   struct submission_evidence *evidence, struct arena *arena,
                   const struct verdict *verdicts, size_t verdict_count);

#endif
