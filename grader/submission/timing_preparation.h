/* timing_preparation.h: prepares the launches that a submission's speed is compared with, while the
 * submission itself is built and run.
 *
 *   reference solution --toolchain--> program --emulated device--> launch_recipe of the baseline
 *                                                                  launch_recipe of the reference
 *
 * The reference is trusted, and its launches do not depend on anything that a submission does. They
 * are recorded on the emulated device with the properties of the real GPU, without running them.
 */
#ifndef GPUGRADE_SUBMISSION_TIMING_PREPARATION_H
#define GPUGRADE_SUBMISSION_TIMING_PREPARATION_H

#include "session/session.h"
#include "submission/device_plan.h"
#include "submission/submission_config.h"

/* What one criterion of the kind speedup needs. */
struct prepared_timing {
    const char *trouble; /* why it could not be prepared, which is the grader's fault; or "" */
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* of the launch that is timed, in elements */
    struct launch_recipe baseline, reference;
    const struct session_config *baseline_config, *reference_config;
};

/* A preparation in progress. */
struct timing_preparation;

/* Starts it on its own thread. It waits for the plan and does nothing if there is no GPU, or no
 * judged criterion of the kind speedup. `work_folder` is the submission's. */
struct timing_preparation *timing_preparation_start(const struct submission_config *config,
                                                    struct device_planning *planning,
                                                    const char *work_folder);

/* Waits until all is prepared; its allocations move to the arena. NULL is allowed. Returns
 * [criterion_count], filled for the wanted criteria; NULL: none was wanted. */
const struct prepared_timing *timing_preparation_finish(struct timing_preparation *preparation,
                                                        struct arena *arena);

#endif
