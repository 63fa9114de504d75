/* rubric_folders.h: where the files of a rubric's coursework are. Private to rubric/.
 *
 *   ROOT/                         gpugrade's own         X/                    a course of its own
 *     grader/model/oracle.h       for every oracle; include/model/oracle.h where it is installed
 *     rubrics/histogram.json                               rubrics/sums.json
 *     reference/histogram/                                 reference/sums/
 *     reference/common/                                    reference/common/   else ROOT's
 *     student_template/histogram/                          student_template/sums/
 *
 * The files of a rubric X/rubrics/NAME.json are in X if X/reference/ID exists, else in the root. If
 * neither has them, they are expected in X. For an overlay, the file that extends nothing decides,
 * wherever the overlay is.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_FOLDERS_H
#define GPUGRADE_RUBRIC_RUBRIC_FOLDERS_H

#include "rubric/rubric_overlay.h"

/* The folder X of a rubric whose resolved path is X/rubrics/NAME.json; NULL if the path does not
 * look like that, or X is the root. */
const char *rubric_own_root(struct arena *arena, const char *path, const char *root);

/* Fills the rubric's folders; its id must be known. Sets the chain's own root to NULL if the
 * coursework is not there; that is a mistake if the chain was stored with it. */
void rubric_find_folders(struct rubric_reader *reader, struct rubric_chain *chain,
                         const char *root);

#endif
