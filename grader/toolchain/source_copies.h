/* source_copies.h: copies the files of a submission with other values of its macros
 * (size_rewrite.h) to their own folder. */
#ifndef GPUGRADE_TOOLCHAIN_SOURCE_COPIES_H
#define GPUGRADE_TOOLCHAIN_SOURCE_COPIES_H

#include "toolchain/size_rewrite.h"
#include "toolchain/source_tree.h"
#include "toolchain/toolchain.h"

struct source_copies {
    const char *folder;                /* contains every file of the submission under its name */
    const char *const *missing_macros; /* [missing_count] overrides that cannot get a value, because
                                          no file that the program reaches defines them suitably;
                                          in the order of the rubric */
    size_t missing_count;
};

/* How a program defines its overrides. */
struct source_survey {
    struct macro_location *locations; /* [override_count]: the one that counts most */
    const char **files;               /* [override_count]: its file; "" if it is not found */
};

/* Looks for the overrides of a program in all files that it reaches. Everything lives in the arena.
 */
void source_survey_make(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_program *program, struct source_survey *out_survey);

/* Creates `folder` and copies a submission into it. Sources get the values of a program's
 * overrides. Errors: ERROR_ENVIRONMENT. */
enum error source_copies_make(struct arena *arena, const struct source_tree *tree,
                              const char *folder, const struct macro_values *values,
                              struct source_copies *out_copies, struct diagnostic *diagnostic);

/* Turns places in the copies into places in the submission's own files; an unknown column becomes
 * 0. `original_folder` is the submission's folder. */
void source_copies_place_messages(struct arena *arena, const struct source_copies *copies,
                                  const char *original_folder, struct tool_message *messages,
                                  size_t count);

#endif
