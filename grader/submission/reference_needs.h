/* reference_needs.h: whether the reference solution itself needs what the device does not know.
 *
 * A criterion that failed by an instruction that the emulated device does not know (U01) failed by
 * the submission's own choice, unless the exercise cannot be solved without: then nobody could be
 * judged, and it is an error. What decides is the reference solution's PTX, never what a submission
 * says: its program is built, or taken from the cache, and must hold, unknown to the parser as
 * well, every such instruction that the submission was stopped by.
 *
 * A criterion that failed as the emulated device crashed (U05) is an error if the device crashes at
 * the reference solution too: that is run in place of the submission.
 *
 * Where no solution is installed the verdict stays.
 */
#ifndef GPUGRADE_SUBMISSION_REFERENCE_NEEDS_H
#define GPUGRADE_SUBMISSION_REFERENCE_NEEDS_H

#include "criteria/criteria_input.h"
#include "submission/program_job.h"

/* Turns those verdicts [count] into errors. `works` [program_count] are done; their folder gets the
 * reference's programs. */
void reference_needs_settle(const struct program_job *works, struct arena *arena,
                            struct verdict *verdicts, size_t count);

#endif
