/* skeleton.h: a coursework to start from.
 *
 * The folder rubrics/skeleton/ of the grader holds a coursework like any other, with the id
 * `skeleton`; it is linted where it lies. A new one is a copy of it in which that word is the new
 * id, in names of files and in what they hold; `SKELETON` is the id in large letters.
 */
#ifndef GPUGRADE_COURSEWORK_SKELETON_H
#define GPUGRADE_COURSEWORK_SKELETON_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "submission/intake_list.h"

#include <stddef.h>

enum { COURSEWORK_ID_BYTES_MAX = 40 };

/* Refuses what is no id of a coursework (a small letter, then small letters, digits and '_'), and
 * the few ids whose files would take the place of others. Errors: ERROR_RANGE, blames usage. */
enum error skeleton_check_id(const char *id, struct diagnostic *diagnostic);

/* Reads the skeleton in `folder` as the files of coursework `id`, [*out_count] by their names
 * relative to the root of the new coursework. Errors: ERROR_IO, ERROR_NOT_FOUND (a part of the
 * grader is missing; blames the environment). */
enum error skeleton_read(struct arena *arena, const char *folder, const char *id,
                         const struct intake_file **out_files, size_t *out_count,
                         struct diagnostic *diagnostic);

/* Writes the files below `root`, which need not be there yet. Nothing that exists is written over,
 * and where one file cannot be written the others are removed again. Errors: ERROR_EXISTS (names
 * the first that is there), ERROR_IO; both blame usage. */
enum error skeleton_write(struct arena *arena, const char *root, const struct intake_file *files,
                          size_t count, struct diagnostic *diagnostic);

#endif
