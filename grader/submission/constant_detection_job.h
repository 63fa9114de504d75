/* constant_detection_job.h: a second look at numbers that are right, to find those that are written
 * down instead of computed (criteria/printouts/constant_detection.h).
 *
 * It comes after the criteria have judged. Each criterion that wants to see it has its program
 * print once more for each GPU that it names, on the emulated device with that GPU's limits, all of
 * them side by side, and is judged again.
 */
#ifndef GPUGRADE_SUBMISSION_CONSTANT_DETECTION_JOB_H
#define GPUGRADE_SUBMISSION_CONSTANT_DETECTION_JOB_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"

struct constant_detection_job {
    const struct submission_config *config; /* set by the caller, down to evidence */
    struct program_job *works;              /* [program_count], done */
    struct core_pool *pool;
    const struct criteria_input *input;
    struct submission_evidence *evidence; /* that of `input` */

    double seconds;
};

/* Makes the print runs that the criteria of the verdicts want, sets the evidence's other_prints and
 * judges those criteria again, in place. Errors: those of session_run_print. */
enum error constant_detection_job_run(struct constant_detection_job *work, struct arena *arena,
                                      struct verdict *verdicts, size_t verdict_count,
                                      struct diagnostic *diagnostic);

#endif
