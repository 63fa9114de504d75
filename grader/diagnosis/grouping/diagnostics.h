/* diagnostics.h: puts into words what the verdicts and findings of a report come to: one
 * diagnostic for each root cause (diagnosis/grouping/root_cause.h), the first to mend first. */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTICS_H
#define GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTICS_H

#include "base/arena.h"
#include "model/report.h"

/* Sets the report's diagnostics; they live in the arena and point into the report. Call it last, on
 * the report that is shown: it tells all that is in there. A report without a rubric (of
 * `gpugrade run`) has findings alone. */
void diagnostics_make(struct report *report, struct arena *arena);

#endif
