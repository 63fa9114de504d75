/* skeleton.h: a coursework to start from.
 *
 * The folders rubrics/skeleton/ (a map) and rubrics/like/SHAPE/ of the grader each contain an
 * ordinary coursework with the id `skeleton`, which gpugrade lint can check; rubrics/like/program/
 * only what differs from the map. A new coursework is a copy of one with that word replaced by the
 * new id, in the names and the contents of files; `SKELETON` becomes the id in capital letters.
 */
#ifndef GPUGRADE_COURSEWORK_SKELETON_H
#define GPUGRADE_COURSEWORK_SKELETON_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "submission/intake_list.h"

#include <stddef.h>

enum { COURSEWORK_ID_BYTES_MAX = 40 };

/* Refuses what is not an id of a coursework (a lowercase letter, then lowercase letters, digits and
 * '_'), and the few ids whose files would replace others. Errors: ERROR_RANGE, blames usage. */
enum error skeleton_check_id(const char *id, struct diagnostic *diagnostic);

/* Reads the skeleton in `folder` as the files of coursework `id`, [*out_count] by their names
 * relative to the root of the new coursework, in no order. What it lacks comes from the skeleton in
 * `base`, unless that is NULL. Errors: ERROR_IO, ERROR_NOT_FOUND (a part of the grader is missing;
 * blames the environment). */
enum error skeleton_read(struct arena *arena, const char *folder, const char *base, const char *id,
                         const struct intake_file **out_files, size_t *out_count,
                         struct diagnostic *diagnostic);

/* Writes the files below `root`, which need not exist yet. Nothing is overwritten, and if one file
 * cannot be written the others are removed again. Errors: ERROR_EXISTS (names the first file that
 * exists), ERROR_IO; both blame usage. */
enum error skeleton_write(struct arena *arena, const char *root, const struct intake_file *files,
                          size_t count, struct diagnostic *diagnostic);

#endif
