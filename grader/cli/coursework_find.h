/* coursework_find.h: which rubric a submission is graded by. */
#ifndef GPUGRADE_CLI_COURSEWORK_FIND_H
#define GPUGRADE_CLI_COURSEWORK_FIND_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "batch/store.h"
#include "model/rubric.h"
#include "submission/intake.h"

/* Loads the rubric: the file `rubric_path` if it is not NULL, else that of `coursework` if it is
 * not NULL, else the one of <root>/rubrics whose programs' sources are all in `files` (those of
 * optional programs may be missing), or, if there is none, of which more are there than of any
 * other: what is missing has its own cause later. Where no source is at the top and all files lie
 * in one folder, that folder is entered, and *files changes. Errors: ERROR_NOT_FOUND (no such
 * coursework, no or several fit, or none of its sources is there; names the files that are missing)
 * and those of rubric_load. */
enum error coursework_find(struct arena *arena, const char *root, struct intake_files *files,
                           const char *coursework, const char *rubric_path,
                           const struct rubric **out_rubric, struct diagnostic *diagnostic);

/* Loads the rubric alone: the file `rubric_path` if it is not NULL, else that of `coursework`. */
enum error coursework_load(struct arena *arena, const char *root, const char *coursework,
                           const char *rubric_path, const struct rubric **out_rubric,
                           struct diagnostic *diagnostic);

/* Enters folders, as above, until a source of the rubric is there; if none ever is, *files stays as
 * it is. */
void coursework_enter(struct arena *arena, const struct rubric *rubric, struct intake_files *files);

/* Loads the rubric by which the marks of a class are given now. Errors: those of store_rubric and
 * rubric_load. */
enum error coursework_stored(struct arena *arena, const char *root, struct store *store,
                             struct store_rubric *out_stored, const struct rubric **out_rubric,
                             struct diagnostic *diagnostic);

#endif
