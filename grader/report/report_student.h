/* report_student.h: a report without what students must not see. */
#ifndef GPUGRADE_REPORT_REPORT_STUDENT_H
#define GPUGRADE_REPORT_REPORT_STUDENT_H

#include "base/arena.h"
#include "model/report.h"

/* Copies the student's report if there is one of its own. Then, whatever it was made of, hidden
 * criteria are left out, and findings of launches that only hidden criteria look at. Sums follow,
 * since they are taken over the verdicts that are left. Of diagnostics, where they are made
 * already, those whose own criterion is hidden are left out, and what others say of hidden
 * criteria.
 *
 * A report for instructors without one for students beside it (a score that was read back) may tell
 * of what is hidden in any text: visible criteria keep their status, points and code, and nothing
 * else is left. The copy's arrays live in the arena; everything else is shared with the original.
 */
void report_for_student(const struct report *full, struct arena *arena, struct report *out_report);

#endif
