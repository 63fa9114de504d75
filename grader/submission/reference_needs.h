/* reference_needs.h: checks whether the reference solution itself needs what the device does not
 * support, or is not marked as it should be.
 *
 * If a criterion fails because of an instruction that the emulated device does not know (U01), the
 * submission chose to use it, unless the exercise cannot be solved without it. Then no submission
 * could be judged, and the criterion becomes an error. The reference solution's PTX decides, never
 * what a submission says: the reference's program is built, or taken from the cache, and must
 * contain every such instruction that stopped the submission, unknown to the parser there too.
 *
 * If a criterion fails because the emulated device crashed (U05), it becomes an error if the device
 * also crashes on the reference solution, which is run in place of the submission.
 *
 * If a criterion fails because of the marks of calls or cases, or because of an operand that a call
 * announces, it becomes an error if the reference's program does the same in its first case: then
 * the harness of the rubric is wrong.
 *
 * If no solution is installed, the verdict stays.
 */
#ifndef GPUGRADE_SUBMISSION_REFERENCE_NEEDS_H
#define GPUGRADE_SUBMISSION_REFERENCE_NEEDS_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"

/* Turns those verdicts [count] into errors. `works` [program_count] are done; the reference's
 * programs are built in their folder. */
void reference_needs_settle(const struct program_job *works, struct arena *arena,
                            struct verdict *verdicts, size_t count);

#endif
