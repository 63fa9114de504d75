/* report_diagnose.h: puts into words what the verdicts and findings of a report come to: one
 * diagnostic for each root cause (report/root_cause.h), the first to mend first. */
#ifndef GPUGRADE_REPORT_REPORT_DIAGNOSE_H
#define GPUGRADE_REPORT_REPORT_DIAGNOSE_H

#include "base/arena.h"
#include "model/report.h"

/* Sets the report's diagnostics; they live in the arena and point into the report. Call it last, on
 * the report that is shown: it tells all that is in there. A report without a rubric (of
 * `gpugrade run`) has findings alone. */
void report_diagnose(struct report *report, struct arena *arena);

#endif
