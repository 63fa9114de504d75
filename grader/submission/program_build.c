/* program_build.c: see program_build.h. */
#include "submission/program_build.h"

#include "model/case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool program_first_values(const struct rubric *rubric, size_t program,
                          int64_t out_values[RUBRIC_OVERRIDES_MAX])
{
    const struct rubric_program *of = &rubric->programs[program];

    for (size_t i = 0; i < rubric->launch_count && program_is_whole(of); i++) {
        const struct rubric_launch *launch = &rubric->launches[i];
        struct drawn_case first = {.case_index = SIZE_MAX};
        if (launch->program == program && launch->has_first) {
            memcpy(first.units, launch->first_values, sizeof first.units);
            return case_override_values(rubric, of, launch->first_values,
                                        case_block(rubric, launch, &first), out_values);
        }
    }
    return false;
}

enum error program_build_make(const struct program_build_request *request, struct arena *arena,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic)
{
    const struct submission_config *config = request->config;
    const char *id = config->rubric->programs[request->program].id;
    char *folder = arena_printf(arena, "%s/build-%s-XXXXXX", request->work_folder, id);
    struct toolchain_job *job = NULL;

    if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be created: %s", folder,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    const struct build_request build = {
        .rubric = config->rubric,
        .program = request->program,
        .source_folder = arena_printf(arena, "%s/source", request->work_folder),
        .work_folder = folder,
        .macro_values = request->values,
    };
    enum error error = toolchain_start(config->toolchain, &build, &job, diagnostic);
    if (error == ERROR_NONE) {
        error = toolchain_finish(job, arena, out_built, diagnostic);
    }
    *out_folder = folder;
    return error;
}

enum error program_build_case(const struct program_build_request *request,
                              const int64_t *parameters, int64_t block, struct arena *arena,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic)
{
    const struct rubric *rubric = request->config->rubric;
    const struct rubric_program *program = &rubric->programs[request->program];
    struct program_build_request copy = *request;
    int64_t values[RUBRIC_OVERRIDES_MAX];

    if (program_is_whole(program)) {
        if (!case_override_values(rubric, program, parameters, block, values)) {
            diagnostic_set(diagnostic, BLAME_RUBRIC,
                           "an override of the program %s cannot be evaluated in a case",
                           program->id);
            return ERROR_RANGE;
        }
        copy.values = values;
    }
    return program_build_make(&copy, arena, out_built, out_folder, diagnostic);
}
