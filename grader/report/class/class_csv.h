/* class_csv.h: the class as one table (RFC 4180, base/csv.h): a line for each student, and of each
 * criterion its points, status and the code of its cause.
 *
 *     student,name,...,state,reason,mark,...,tries,compile,compile status,compile cause,...
 *
 * A cell is empty if there is no value. class_facts.h says who has a mark; `raw` is there even if
 * it does not count. All classes with the same rubric have the same columns.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_CSV_H
#define GPUGRADE_REPORT_CLASS_CLASS_CSV_H

#include "base/text.h"
#include "model/class_results.h"

void class_csv(const struct class_results *results, struct text *out);

#endif
