/* spaced_launches.h: nvcc takes "<< <" and ">> >" for the brackets of a launch, clang does not.
 *
 * A virtual file system of clang's (-ivfsoverlay) shows it the files of a submission in which such
 * a bracket stands with its parts written together, the blanks after them. Paths, lines and the
 * columns of everything else stay as they are. Comments and literals are left alone.
 */
#ifndef GPUGRADE_CLANG_SPACED_LAUNCHES_H
#define GPUGRADE_CLANG_SPACED_LAUNCHES_H

#include "clang/nvcc_options.h"

/* Looks at a source and at the files that it includes by relative paths, beside themselves and in
 * the folders of -I. Adds the option to plan->both if one of them has such a bracket; what clang
 * then reads lies in `folder`. A file that cannot be read is left to clang's message. Errors:
 * ERROR_IO. */
enum error spaced_launches_join(struct arena *arena, struct compile_plan *plan, const char *source,
                                const char *folder, struct diagnostic *diagnostic);

/* Writes the brackets of a text [length] together, in place; true if there were any. */
bool spaced_launches_rewrite(char *text, size_t length);

#endif
