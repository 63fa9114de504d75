/* loose_files.h: a submission that is neither a folder nor an archive: files in one folder with
 * those of other students, as in flat exports of Canvas and Moodle.
 *
 *     path = "exercise1_tiled.cu" TAB "/home/.../doejane_123_456_exercise1_tiled.cu" LF
 *            "exercise2_dynamic.cu" TAB "/home/.../doejane_123_457_exercise2_dynamic-1.cu" LF
 *
 * Such a path does not start with a slash; the path of a folder or an archive does.
 */
#ifndef GPUGRADE_BATCH_LOOSE_FILES_H
#define GPUGRADE_BATCH_LOOSE_FILES_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>

bool loose_files_is(const char *path);

/* Appends a file to such a path; `name` is what the student called it. False if `name` is not a
 * file name, or contains a tab or a newline, or if `file` contains a newline. */
bool loose_files_append(struct text *path, const char *name, const char *file);

/* Copies the files of such a path to `folder`, which must exist, under the names that the
 * coursework expects, `wanted` [NULL-terminated] (without folders):
 *
 *     a.cu                expected: it keeps its name
 *     a-1.cu, "a (2).cu"  platforms and browsers number a second upload: it becomes a.cu, if that
 *                         is expected and missing; of several, the one with the largest number
 *     anna.cu             if it is the only file and one source is expected: it becomes that one
 *
 * All others keep their names. Errors: ERROR_NOT_FOUND, ERROR_IO and ERROR_ENVIRONMENT (blame the
 * environment), ERROR_LIMIT (blames the student). */
enum error loose_files_place(struct arena *arena, const char *path, const char *folder,
                             const char *const *wanted, struct diagnostic *diagnostic);

#endif
