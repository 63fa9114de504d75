/* remarks.h: what costs nothing but is worth a line. */
#ifndef GPUGRADE_SUBMISSION_REMARKS_H
#define GPUGRADE_SUBMISSION_REMARKS_H

#include "base/arena.h"
#include "model/report.h"

/* What remarks are made of. */
struct remark_sources {
    const struct rubric *rubric;
    const struct submission_evidence *evidence;
    const struct verdict *verdicts; /* [verdict_count] of that evidence */
    size_t verdict_count;
};

/* Collects, each once: warnings of the tools, failed runtime calls that no verdict tells of, and
 * what an observed kernel did for nothing as far as the device counts it: a barrier that orders no
 * accesses in at least three of four passes (the last pass of a loop often orders nothing, which is
 * no fault), and clearly more bytes stored to the output than it has; which kernel was judged,
 * where a program launches several that a rubric's pattern may mean. Nothing is said of the
 * barriers of a kernel that is wrong, races or does not use its tiles: mended, it may need them. */
void remarks_collect(struct arena *arena, const struct remark_sources *sources,
                     const struct remark **out_remarks, size_t *out_count);

#endif
