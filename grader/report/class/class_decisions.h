/* class_decisions.h: decisions about students (model/class_results.h) in words. */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_DECISIONS_H
#define GPUGRADE_REPORT_CLASS_CLASS_DECISIONS_H

#include "base/text.h"
#include "model/class_results.h"

/* Appends what a decision says, as plain text of foreign words: "2 more days: ill". */
void class_append_decision(const struct class_decision *decision, struct text *out);

/* Appends the comments of a row as one cell of a CSV table, which has a line for each (base/csv.h).
 */
void class_append_comment_cell(const struct class_row *row, struct text *out);

#endif
