/* intake_names.h: files whose names are nearly those that a coursework asks for.
 *
 *     Exercise1_Tiled.cu      other letters, upper and lower case
 *     exercise1_tiled (1).cu  a copy, as browsers and file managers mark it
 *     exercise1_tiled.cu.txt  an ending that an editor added
 *     exercise1_titled.cu     one letter more, fewer, other or exchanged; never a digit
 *
 * A file is taken only for a source that is missing, and only if one file and one source fit each
 * other best. So nothing that is there changes its meaning.
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_NAMES_H
#define GPUGRADE_SUBMISSION_INTAKE_NAMES_H

#include "model/rubric.h"
#include "submission/intake.h"

/* Gives such files the names that the rubric asks for; files[].handed_in keeps their own. Returns
 * how many. The list is a new one in the arena. */
size_t intake_adopt_names(struct arena *arena, const struct rubric *rubric,
                          struct intake_files *files);

#endif
