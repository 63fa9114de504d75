/* remarks.h: what costs nothing but is worth a line. */
#ifndef GPUGRADE_SUBMISSION_REMARKS_H
#define GPUGRADE_SUBMISSION_REMARKS_H

#include "base/arena.h"
#include "model/report.h"

/* Collects, each once: warnings of the tools, failed runtime calls, and what an observed kernel did
 * for nothing as far as the device counts it: a barrier that orders no accesses in at least three
 * of four passes (the last pass of a loop often orders nothing, which is no fault), and more bytes
 * stored to the output than it has. */
void remarks_collect(struct arena *arena, const struct rubric *rubric,
                     const struct submission_evidence *evidence, const struct remark **out_remarks,
                     size_t *out_count);

#endif
