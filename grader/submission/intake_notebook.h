/* intake_notebook.h: notebooks (.ipynb) whose cells write the files of a coursework.
 *
 *     %%writefile sum.cu       the cell's text is sum.cu; -a appends
 *     %%file sum.cu            likewise
 *     %%cuda --name sum.cu     likewise (also -n, and other magics that start with %%cu)
 *     %%cu                     a program without a name
 *
 * Cells count in their order, whether they were run or not. Of two that write one file the later
 * one counts. Files that were handed in beside the notebook go before. A path that leads out of
 * the submission ("/content/sum.cu") counts by its last part.
 */
#ifndef GPUGRADE_SUBMISSION_INTAKE_NOTEBOOK_H
#define GPUGRADE_SUBMISSION_INTAKE_NOTEBOOK_H

#include "submission/intake_list.h"

/* Replaces each notebook that writes files by these; files[].notebook names it. Cells without a
 * name are called after the notebook. What follows the first byte that is no JSON counts for
 * nothing. A notebook that writes nothing stays a file like any other. Time and memory are linear
 * in its bytes. Errors: ERROR_LIMIT, those of intake_list.h. */
enum error intake_notebooks_unpack(struct intake_list *list, struct diagnostic *diagnostic);

#endif
