/* findings_merge.h: merges the findings of many samples into one list. */
#ifndef GPUGRADE_SUBMISSION_FINDINGS_MERGE_H
#define GPUGRADE_SUBMISSION_FINDINGS_MERGE_H

#include "base/arena.h"
#include "model/report.h"

/* Collects the findings of all samples and runs. Those with the same code, kernel, launch and lines
 * become one: counts are added; message, threads and shape are those of the first one. Sorted by
 * launch, then file, line, code. */
void findings_merge(struct arena *arena, const struct rubric *rubric,
                    const struct submission_evidence *evidence, const struct finding **out_findings,
                    size_t *out_count);

#endif
