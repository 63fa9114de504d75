/* student_page.h: what a student of a class gets back: the page of one submission (report/html/),
 * without hidden parts, and above it what the class adds: the mark, lateness, which attempt.
 *
 * Where a class has hidden criteria neither the mark nor the sum that it is made of stands on the
 * page, as they would tell what the hidden part gave.
 */
#ifndef GPUGRADE_REPORT_CLASS_STUDENT_PAGE_H
#define GPUGRADE_REPORT_CLASS_STUDENT_PAGE_H

#include "base/arena.h"
#include "base/text.h"
#include "model/class_results.h"
#include "model/report.h"

/* Makes what a student may see of a graded row's report, which is given as it was archived. Its
 * diagnostics are still to be made. */
void student_page_report(const struct class_row *row, const struct report *full,
                         struct arena *arena, struct report *out_report);

/* Appends the page of a graded row; `shown` is its student_page_report() with diagnostics. */
void student_page(const struct class_results *results, const struct class_row *row,
                  const struct report *shown, struct text *out);

/* Appends the page of a row in whose submission nothing could be graded. */
void student_page_nothing(const struct class_results *results, const struct class_row *row,
                          struct text *out);

#endif
