/* rubric_load.h: reads a rubric's JSON file into structs; rubrics/rubric.schema.json has the
 * format.
 *
 * Every mistake in a rubric is found here and reported with its line and column: unknown and
 * duplicate keys, wrong types, references to ids that do not exist, unknown names in expressions,
 * empty ranges, points that do not add up to 100.
 *
 * A rubric that `extends` another one, an overlay, is merged with it when it is loaded; a mistake
 * is reported for the file that contains it.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_LOAD_H
#define GPUGRADE_RUBRIC_RUBRIC_LOAD_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/rubric.h"

/* Loads a rubric file. `root` is gpugrade's folder of reference/, student_template/ and rubrics/;
 * X/rubrics/NAME.json uses X/reference/ID and X/student_template/ID if the former exists.
 * The diagnostic blames the rubric and names line and column. Errors: ERROR_NOT_FOUND, ERROR_IO,
 * ERROR_LIMIT (a file of more than 1 MiB), ERROR_SYNTAX, ERROR_RANGE. */
enum error rubric_load(struct arena *arena, const char *path, const char *root,
                       const struct rubric **out_rubric, struct diagnostic *diagnostic);

/* The same from memory, for tests and fuzzing. */
enum error rubric_parse(struct arena *arena, const char *bytes, size_t length, const char *path,
                        const char *root, const struct rubric **out_rubric,
                        struct diagnostic *diagnostic);

/* The limits of a rubric that sets none. */
struct limits rubric_default_limits(void);

#endif
