/* case_session.c: see case_session.h. */
#include "submission/case_session.h"

bool case_session_make(const struct submission_config *config, const struct device_plan *plan,
                       struct program_job *program, const struct launch_run *run,
                       const struct case_wanted *wanted, struct arena *arena,
                       struct session_config *out_session)
{
    struct diagnostic diagnostic; /* nobody asks why it does not run again */

    *out_session = (struct session_config){
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .oracle = program->oracle,
        .device_path = config->device_path,
        .device = {.model = plan->model_record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = plan->model.compute_major,
        .compute_minor = plan->model.compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = program->work_folder,
        .account = &program->account,
        .kernel = run->kernel,
        .launch_number = session_launch_number(run, wanted->parameters, wanted->block),
    };
    return program->built.build.linked &&
           case_program_provide(program, wanted, arena, out_session, &diagnostic) == ERROR_NONE &&
           out_session->program->build.linked;
}
