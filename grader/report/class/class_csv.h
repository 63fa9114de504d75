/* class_csv.h: the class as one table (RFC 4180, base/csv.h): a line for each student, and of each
 * criterion its points, status and the code of its cause.
 *
 *     student,name,...,state,reason,mark,...,tries,compile,compile status,compile cause,...
 *
 * Cells are empty where there is nothing to tell; a mark is told as class_facts.h says, `raw` also
 * where it does not count. Columns are the same for every class by one rubric.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_CSV_H
#define GPUGRADE_REPORT_CLASS_CLASS_CSV_H

#include "base/text.h"
#include "model/class_results.h"

void class_csv(const struct class_results *results, struct text *out);

#endif
