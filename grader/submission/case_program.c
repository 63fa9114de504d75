/* case_program.c: see case_program.h. */
#include "submission/case_program.h"

#include "submission/program_build.h"

int64_t case_program_learnt_block_width(const struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->case_index == SIZE_MAX && observation->failure == CODE_NONE) {
            return observation->block;
        }
    }
    return 0;
}

enum error case_program_provide(struct program_job *work, const struct case_wanted *wanted,
                                struct arena *arena, struct session_config *session,
                                struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;
    const struct program_build_request request = {
        .config = work->config,
        .work_folder = work->work_folder,
        .program = work->program,
    };
    struct built_program *built = arena_alloc(arena, sizeof *built);
    const char *folder = NULL;

    session->kernel = wanted->kernel;
    session->block = wanted->block;
    session->program = &work->built;
    session->resources = &work->resources;
    if (!program_is_whole(&rubric->programs[work->program])) {
        return ERROR_NONE;
    }
    enum error error = program_build_case(&request, wanted->parameters, wanted->block, arena, built,
                                          &folder, diagnostic);
    session->program = built;
    session->resources = arena_alloc(arena, sizeof *session->resources);
    session->first_build = &work->built.build;
    return error;
}
