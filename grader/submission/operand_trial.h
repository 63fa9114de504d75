/* operand_trial.h: tries short changes of kernels, to mark the operand that is at fault.
 *
 *   diagnostic --fix_candidates.h--> changes --kernel_copies.h--> one source with a kernel for each
 *      --compiler--> PTX --session.h--> the program, with the kernel of one change after another
 *                                                |
 *             the cause gets the place  <-- right in the smallest wrong case, then in all
 *
 * The change itself is never shown: the report says what kind of thing would be right there. So it
 * needs no rubric that shows fixes. Nothing is tried where rubrics do not explain, for what is to
 * be found out, or where the report has a more certain cause: only wrong values and indices past
 * the end are looked into, which no named mistake explains.
 *
 * A check pays for one compilation of device code, or two, and for a few runs of the program over
 * one small case, whose work is bounded. What is tried and what comes of it depends on the
 * submission and the seed alone.
 */
#ifndef GPUGRADE_SUBMISSION_OPERAND_TRIAL_H
#define GPUGRADE_SUBMISSION_OPERAND_TRIAL_H

#include "submission/intake.h"
#include "submission/program_job.h"

struct operand_trial {
    const struct submission_config *config; /* with the visible part of the rubric */
    const struct device_plan *plan;
    const struct intake_files *files;
    const struct criteria_input *input;
    struct program_job *works;      /* [program_count], done */
    const struct drawn_case *cases; /* [case_count] that were run */
    size_t case_count;
    const char *work_folder; /* of the submission */
};

/* Gives causes of `verdicts`, those of `report`, which has no diagnostics yet, the operand at
 * fault. */
void operand_trial_run(const struct operand_trial *trial, struct arena *arena,
                       const struct report *report, struct verdict *verdicts);

#endif
