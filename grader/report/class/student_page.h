/* student_page.h: what a student of a class gets back: the page of one submission (report/html/),
 * without hidden parts, and above it what the class adds: the mark, lateness, which attempt.
 *
 * If a class has hidden criteria, the page shows neither the mark nor the sum that it is computed
 * from, because they would reveal the result of the hidden part. Otherwise the mark stands in the
 * place of the points.
 */
#ifndef GPUGRADE_REPORT_CLASS_STUDENT_PAGE_H
#define GPUGRADE_REPORT_CLASS_STUDENT_PAGE_H

#include "base/arena.h"
#include "base/text.h"
#include "model/class_results.h"
#include "model/report.h"

/* Makes the report that a student may see from `full`, the archived report of a graded row. The
 * caller still has to make its diagnostics. */
void student_page_report(const struct class_results *results, const struct class_row *row,
                         const struct report *full, struct arena *arena, struct report *out_report);

/* Appends the page of a graded row; `shown` is its student_page_report() with diagnostics. */
void student_page(const struct class_results *results, const struct class_row *row,
                  const struct report *shown, struct text *out);

/* Appends the page of a row in whose submission nothing could be graded, or without one. */
void student_page_nothing(const struct class_results *results, const struct class_row *row,
                          struct text *out);

#endif
