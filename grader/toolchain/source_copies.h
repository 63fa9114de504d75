/* source_copies.h: the files of a submission with other values of its macros, in a folder of their
 * own, for builds that size_rewrite.h explains. */
#ifndef GPUGRADE_TOOLCHAIN_SOURCE_COPIES_H
#define GPUGRADE_TOOLCHAIN_SOURCE_COPIES_H

#include "toolchain/size_rewrite.h"
#include "toolchain/source_tree.h"
#include "toolchain/toolchain.h"

struct source_copies {
    const char *folder;                /* holds every file of the submission by its name */
    const char *const *missing_macros; /* [missing_count] overrides that no file that the program
                                          reaches defines so that they can have a value, in the
                                          order of the rubric */
    size_t missing_count;
};

/* How a program defines its overrides. */
struct source_survey {
    struct macro_location *locations; /* [override_count]: the one that counts most */
    const char **files;               /* [override_count]: where that is; "" for what is not seen */
};

/* Looks for the overrides of a program in all that it reaches. All in the arena. */
void source_survey_make(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_program *program, struct source_survey *out_survey);

/* Copies a submission into `folder`, which is made. Source texts get the values of a program's
 * overrides. Errors: ERROR_ENVIRONMENT. */
enum error source_copies_make(struct arena *arena, const struct source_tree *tree,
                              const char *folder, const struct macro_values *values,
                              struct source_copies *out_copies, struct diagnostic *diagnostic);

/* Turns places in the copies into those in the submission's own files: a column that cannot be told
 * becomes 0. `original_folder` holds the submission. */
void source_copies_place_messages(struct arena *arena, const struct source_copies *copies,
                                  const char *original_folder, struct tool_message *messages,
                                  size_t count);

#endif
