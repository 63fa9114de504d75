/* case_session.h: sessions that run one case of a launch again, after the criteria have judged. */
#ifndef GPUGRADE_SUBMISSION_CASE_SESSION_H
#define GPUGRADE_SUBMISSION_CASE_SESSION_H

#include "submission/case_program.h"

/* A session that runs the program of one case again, on the device that `run` of it was on; false
 * if the program does not build. */
bool case_session_make(const struct submission_config *config, const struct device_plan *plan,
                       struct program_job *program, const struct launch_run *run,
                       const struct case_wanted *wanted, struct arena *arena,
                       struct session_config *out_session);

#endif
