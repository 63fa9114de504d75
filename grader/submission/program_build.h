/* program_build.h: builds a program of a submission: as it is, or a whole program with the values
 * that a case gives its macros. */
#ifndef GPUGRADE_SUBMISSION_PROGRAM_BUILD_H
#define GPUGRADE_SUBMISSION_PROGRAM_BUILD_H

#include "submission/submission_config.h"
#include "toolchain/toolchain.h"

struct program_build_request {
    const struct submission_config *config;
    const char *work_folder; /* of the submission: contains source/ */
    size_t program;
    const int64_t *values; /* [override_count] of the program's overrides; NULL: as it is */
};

/* The values of a program's overrides in its first build: for the first shape of the first of its
 * launches that has one. False if there is none, or no overrides: then it is built as it is. */
bool program_first_values(const struct rubric *rubric, size_t program,
                          int64_t out_values[RUBRIC_OVERRIDES_MAX]);

/* Builds into a new folder in the work folder, *out_folder. Mistakes of the submission are in
 * out_built->build. Errors: those of the toolchain. */
enum error program_build_make(const struct program_build_request *request, struct arena *arena,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic);

/* The same for a case of a launch, with the block width `block`. A program without overrides is
 * built as it is. Errors: ERROR_RANGE if an override cannot be evaluated there. */
enum error program_build_case(const struct program_build_request *request,
                              const int64_t *parameters, int64_t block, struct arena *arena,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic);

#endif
