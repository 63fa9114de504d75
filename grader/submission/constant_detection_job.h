/* constant_detection_job.h: examines right numbers again, to find those that are hard-coded instead
 * of computed (criteria/printouts/constant_detection.h).
 *
 * It runs after the criteria have judged. For each criterion that asks for it, the program prints
 * again for each GPU that the criterion names, on the emulated device with that GPU's limits, all
 * in parallel. Then the criterion is judged again.
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

/* Makes the print runs that the criteria of the verdicts ask for, sets the evidence's other_prints
 * and judges those criteria again, in place. Errors: those of session_run_print. */
enum error constant_detection_job_run(struct constant_detection_job *work, struct arena *arena,
                                      struct verdict *verdicts, size_t verdict_count,
                                      struct diagnostic *diagnostic);

#endif
