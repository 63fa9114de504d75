/* coursework_find.h: finds the rubric with which a submission is graded. */
#ifndef GPUGRADE_CLI_COURSEWORK_FIND_H
#define GPUGRADE_CLI_COURSEWORK_FIND_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "batch/store.h"
#include "model/rubric.h"
#include "submission/intake.h"

/* Loads the rubric: the file `rubric_path` if it is not NULL, else the rubric of `coursework` if
 * that is not NULL, else the one in <root>/rubrics that fits `files`. A rubric fits if all sources
 * of its programs are there; those of optional programs may be missing. If none fits, the one with
 * the most sources there is taken, and missing files are reported later with a cause of their own.
 * If no source is at the top and all files are in one folder, that folder is entered, and *files
 * changes. So it does where files have nearly the names of sources that are missing
 * (intake_names.h); among rubrics, names that are right go before. Errors: ERROR_NOT_FOUND (no such
 * coursework, none or several fit, or none of its sources is there; names the missing files) and
 * those of rubric_load. */
enum error coursework_find(struct arena *arena, const char *root, struct intake_files *files,
                           const char *coursework, const char *rubric_path,
                           const struct rubric **out_rubric, struct diagnostic *diagnostic);

/* Loads only the rubric: the file `rubric_path` if it is not NULL, else that of `coursework`. */
enum error coursework_load(struct arena *arena, const char *root, const char *coursework,
                           const char *rubric_path, const struct rubric **out_rubric,
                           struct diagnostic *diagnostic);

/* Loads the rubrics of all courseworks of the root, by name. */
enum error coursework_list(struct arena *arena, const char *root,
                           const struct rubric *const **out_rubrics, size_t *out_count,
                           struct diagnostic *diagnostic);

/* How much a report may say about a program of files at these paths: as much as the strictest of
 * those courseworks allows that have a source of such a name. They are those of the root, and the
 * one in rubric.json beside a file, as `handout` writes it. HINTS_FIX: there is none, or no
 * rubric can be read. */
enum hints coursework_hints(struct arena *arena, const char *root, const char *const *paths,
                            size_t path_count);

/* Enters folders and takes names that are nearly right, as above, for one rubric; if none of its
 * sources is found, *files does not change. */
void coursework_enter(struct arena *arena, const struct rubric *rubric, struct intake_files *files);

/* Loads the rubric that currently decides the marks of a class. Errors: those of store_rubric and
 * rubric_load. */
enum error coursework_stored(struct arena *arena, const char *root, struct store *store,
                             struct store_rubric *out_stored, const struct rubric **out_rubric,
                             struct diagnostic *diagnostic);

#endif
