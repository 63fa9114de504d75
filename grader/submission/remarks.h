/* remarks.h: collects remarks, which cost no points but are worth a line. */
#ifndef GPUGRADE_SUBMISSION_REMARKS_H
#define GPUGRADE_SUBMISSION_REMARKS_H

#include "base/arena.h"
#include "model/report.h"

/* What remarks are made from. */
struct remark_sources {
    const struct rubric *rubric;
    const struct submission_evidence *evidence;
    const struct verdict *verdicts; /* [verdict_count] of that evidence */
    size_t verdict_count;
    struct source_index *index; /* of the sources; NULL: nothing is looked for in them */
};

/* Collects these remarks, each once:
 *   - warnings of the tools;
 *   - code for newer GPUs than a program is compiled for, which is left out;
 *   - failed runtime calls that no verdict reports;
 *   - needless work of an observed kernel, as far as the device counts it: a barrier that orders no
 *     accesses in any shape, or in a loop in less than one of four passes (the last pass of a loop
 *     often orders nothing, and that is fine; a loop that makes one pass says nothing), and clearly
 *     more bytes stored to the output than it has;
 *   - what makes a kernel slow, if a criterion is about its speed and none about that: lines with
 *     bank conflicts or accesses that are not coalesced, and a `double` among other data;
 *     Likewise a call whose only kernel has no more threads than a warp for many elements;
 *   - device memory that a program allocates, if it never frees any;
 *   - which kernel was judged, if a program launches several that a rubric's pattern may mean.
 * Barriers of a kernel that is wrong, races or does not use its tiles get no remark: after a fix it
 * may need them. */
void remarks_collect(struct arena *arena, const struct remark_sources *sources,
                     const struct remark **out_remarks, size_t *out_count);

#endif
