/* report_student.h: a report without what students must not see. */
#ifndef GPUGRADE_REPORT_REPORT_STUDENT_H
#define GPUGRADE_REPORT_REPORT_STUDENT_H

#include "base/arena.h"
#include "model/report.h"

/* Copies the separate report for students, or the full one if there is none. Then removes hidden
 * criteria and the findings of launches that only hidden criteria look at. The sums follow, because
 * they are computed from the verdicts that are left. If diagnostics are made already, those whose
 * own criterion is hidden are removed too, and so is what others say about hidden criteria.
 *
 * A report for instructors without a separate one for students (a score that was read back) may
 * mention hidden things in any text: there visible criteria keep only their status, points and
 * code. The copy's arrays live in the arena; everything else is shared with the original.
 */
void report_for_student(const struct report *full, struct arena *arena, struct report *out_report);

#endif
