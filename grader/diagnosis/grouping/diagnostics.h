/* diagnostics.h: turns the verdicts and findings of a report into diagnostics: one for each root
 * cause (diagnosis/grouping/root_cause.h), in the order in which to fix them. */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTICS_H
#define GPUGRADE_DIAGNOSIS_GROUPING_DIAGNOSTICS_H

#include "base/arena.h"
#include "model/report.h"

/* Sets the report's diagnostics; they live in the arena and point into the report. Call it last, on
 * the report that is shown: it shows everything in there. A report without a rubric (of `gpugrade
 * run`) has only findings. */
void diagnostics_make(struct report *report, struct arena *arena);

#endif
