/* case_session.c: see case_session.h. */
#include "submission/case_session.h"

bool case_session_make(const struct submission_config *config, const struct device_plan *plan,
                       struct program_job *program, const struct launch_run *run,
                       const struct case_wanted *wanted, struct arena *arena,
                       struct session_config *out_session)
{
    struct diagnostic diagnostic; /* nobody asks why it does not run again */

    *out_session = program_job_session(config, program, plan);
    out_session->kernel = run->kernel;
    out_session->launch_number = session_launch_number(run, wanted->parameters, wanted->block);
    return program->built.build.linked &&
           case_program_provide(program, wanted, arena, out_session, &diagnostic) == ERROR_NONE &&
           out_session->program->build.linked;
}
