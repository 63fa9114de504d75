/* loose_files.h: a submission that is neither a folder nor an archive: files that lie among those
 * of others, as flat exports of Canvas and Moodle have them.
 *
 *     path = "exercise1_tiled.cu" TAB "/home/.../doejane_123_456_exercise1_tiled.cu" LF
 *            "exercise2_dynamic.cu" TAB "/home/.../doejane_123_457_exercise2_dynamic-1.cu" LF
 *
 * Such a path does not start with a slash, so it is told from that of a folder or an archive.
 */
#ifndef GPUGRADE_BATCH_LOOSE_FILES_H
#define GPUGRADE_BATCH_LOOSE_FILES_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>

bool loose_files_is(const char *path);

/* Appends a file to such a path; `name` is what the student called it. False if `name` is none of a
 * file or holds a tab or a newline, or if `file` holds a newline. */
bool loose_files_append(struct text *path, const char *name, const char *file);

/* Copies the files of such a path to `folder`, which must exist, under the names that the
 * coursework wants, `wanted` [NULL-terminated] (without folders in front):
 *
 *     a.cu                wanted: it stays
 *     a-1.cu, "a (2).cu"  platforms and browsers number a second upload: a.cu, if that is
 *                         wanted and not there itself; of several the largest number
 *     anna.cu             the only file, and one source is wanted: that one
 *
 * All others keep their names. Errors: ERROR_NOT_FOUND, ERROR_IO and ERROR_ENVIRONMENT (blame the
 * environment), ERROR_LIMIT (blames the student). */
enum error loose_files_place(struct arena *arena, const char *path, const char *folder,
                             const char *const *wanted, struct diagnostic *diagnostic);

#endif
