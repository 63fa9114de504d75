/* class_reckoning.h: where the mark of one student comes from, as lines for a terminal.
 *
 *     1001 Ann Ant: 76.5 of 85
 *       graded: ann_2.zip
 *       due             2026-11-20T11:00:00Z
 *       criteria        80
 *       late            -3.5  4 min
 *       handed in, oldest first:
 *       2026-11-20T10:00:00Z  ann_1.zip: 60 of 85; another attempt counts
 *           correct.tiled: failed, 0 of 20; W02 the result of a well-known mistake
 *       2026-11-20T11:04:00Z  ann_2.zip: 80 of 85, 3.5 off for being late; counts
 *           occupancy: failed, 0 of 5; O01 occupancy is wrong
 *
 * Pure functions. Foreign text is made printable.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_RECKONING_H
#define GPUGRADE_REPORT_CLASS_CLASS_RECKONING_H

#include "base/text.h"
#include "model/class_results.h"

/* Appends "1001 Ann Ant". */
void class_append_who(const struct class_row *row, struct text *out);

/* Appends "76.5 of 85", "excused" or "no mark"; the row may be NULL. */
void class_append_mark(const struct class_results *results, const struct class_row *row,
                       struct text *out);

/* Appends a line that says when the work of this student is due; `class_due` is when that of the
 * class is, by the rubric. */
void class_append_due(const struct class_row *row, int64_t class_due, struct text *out);

/* Appends all of the above, each attempt, and each criterion that did not pass. */
void class_append_reckoning(const struct class_results *results, const struct class_row *row,
                            int64_t class_due, struct text *out);

#endif
