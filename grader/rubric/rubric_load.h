/* rubric_load.h: a rubric's JSON file as structs; see rubrics/rubric.schema.json for the format.
 *
 * Every mistake in a rubric is found here and named with its line and column: unknown and duplicate
 * keys, wrong types, references to ids that do not exist, names in expressions that mean nothing,
 * ranges that no value fits, points that do not add up to 100.
 *
 * A rubric that `extends` another one, an overlay, is merged with it when it is loaded; a mistake
 * is told in the file that holds it.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_LOAD_H
#define GPUGRADE_RUBRIC_RUBRIC_LOAD_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/rubric.h"

/* Loads a rubric file. `root` is gpugrade's folder of reference/, student_template/ and rubrics/;
 * X/rubrics/NAME.json goes by X/reference/ID and X/student_template/ID if there is the former.
 * The diagnostic blames the rubric and names line and column. Errors: ERROR_NOT_FOUND, ERROR_IO,
 * ERROR_LIMIT (a file of more than 1 MiB), ERROR_SYNTAX, ERROR_RANGE.
 * Whether the GPU model is known is not checked here: gpu_model_find() of occupancy/ tells. */
enum error rubric_load(struct arena *arena, const char *path, const char *root,
                       const struct rubric **out_rubric, struct diagnostic *diagnostic);

/* The same from memory, for tests and fuzzing. */
enum error rubric_parse(struct arena *arena, const char *bytes, size_t length, const char *path,
                        const char *root, const struct rubric **out_rubric,
                        struct diagnostic *diagnostic);

/* The limits of a rubric that names none. */
struct limits rubric_default_limits(void);

#endif
