/* timing_preparation.h: what the speed of a submission is held against, made while the submission
 * itself is built and run.
 *
 *   reference solution --toolchain--> program --emulated device--> launch_recipe of the baseline
 *                                                                  launch_recipe of the reference
 *
 * The reference is trusted and its launches depend on nothing that a submission does; with the
 * properties of the real GPU they are learnt on the emulated device, without running them.
 */
#ifndef GPUGRADE_SUBMISSION_TIMING_PREPARATION_H
#define GPUGRADE_SUBMISSION_TIMING_PREPARATION_H

#include "session/session.h"
#include "submission/device_plan.h"
#include "submission/submission_config.h"

/* What one criterion of the kind speedup needs. */
struct prepared_timing {
    const char *trouble; /* why it could not be prepared, the grader's side; "" if it could */
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* of the launch that is timed, in elements */
    struct launch_recipe baseline, reference;
    const struct session_config *baseline_config, *reference_config;
};

/* Preparing in progress. */
struct timing_preparation;

/* Starts it on a thread of its own; it waits for the plan and does nothing if there is no GPU, or
 * no criterion of the kind speedup that is judged. `work_folder` is the submission's. */
struct timing_preparation *timing_preparation_start(const struct submission_config *config,
                                                    struct device_planning *planning,
                                                    const char *work_folder);

/* Waits until all is prepared; what it allocated moves to the arena. NULL is accepted. Returns
 * [criterion_count], of which those are filled that were wanted; NULL: nothing was. */
const struct prepared_timing *timing_preparation_finish(struct timing_preparation *preparation,
                                                        struct arena *arena);

#endif
