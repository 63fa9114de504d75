/* rubric_folders.h: where the files of a rubric's coursework are. Private to rubric/.
 *
 *   ROOT/                         gpugrade's own         X/                    a course of its own
 *     grader/model/oracle.h       for every oracle; include/model/oracle.h where it is installed
 *     rubrics/histogram.json                               rubrics/sums.json
 *     reference/histogram/                                 reference/sums/
 *     reference/common/                                    reference/common/   else ROOT's
 *     student_template/histogram/                          student_template/sums/
 *
 * A rubric X/rubrics/NAME.json has its files in X if there is X/reference/ID, else in the root; if
 * neither has it, X is where it is looked for. Of
 * an overlay the file counts that extends nothing, wherever the overlay lies.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_FOLDERS_H
#define GPUGRADE_RUBRIC_RUBRIC_FOLDERS_H

#include "rubric/rubric_overlay.h"

/* The folder X of a rubric whose resolved path is X/rubrics/NAME.json; NULL: it does not lie so, or
 * X is the root. */
const char *rubric_own_root(struct arena *arena, const char *path, const char *root);

/* Fills the rubric's folders; its id is known. Lets go of the chain's own root where that does not
 * hold the coursework, which is a mistake if the chain was stored with it. */
void rubric_find_folders(struct rubric_reader *reader, struct rubric_chain *chain,
                         const char *root);

#endif
