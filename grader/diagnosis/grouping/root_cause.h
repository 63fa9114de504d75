/* root_cause.h: groups verdicts and findings by root cause.
 *
 * A student fixes one mistake at a time, so each mistake is one root cause, whatever it breaks:
 *   - criteria with the same cause (a source that does not compile, a crash) share one;
 *   - a criterion whose cause names a finding as its reason (cause.because) follows from the root
 *     cause of that finding;
 *   - findings that one change fixes are one: races caused by the same missing barrier, or of one
 *     kernel in the same device memory, and the same rule broken in several lines, whether in
 *     probes or on the program's own data;
 *   - what probably follows from another root cause of the same launch is reported with it
 *     (root_cause_join.h).
 * A finding that belongs to no criterion is a root cause of its own.
 *
 * They come in the order in which to fix them: what keeps programs from being built, then what
 * fails, in the order of the rubric, then what cannot be graded, then what costs nothing.
 */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_ROOT_CAUSE_H
#define GPUGRADE_DIAGNOSIS_GROUPING_ROOT_CAUSE_H

#include "base/arena.h"
#include "model/report.h"

struct root_cause {
    const struct verdict *verdict;   /* whose cause it is; NULL: of findings alone */
    const struct finding **findings; /* [finding_count] what was seen, the one to show first */
    size_t finding_count;
    const struct finding **follows; /* [follow_count] what probably follows from it */
    size_t follow_count;
    size_t *same; /* [same_count] indices of verdicts that fail for this; the first is `verdict` */
    size_t same_count;
    size_t *results; /* [result_count] of verdicts that fail because of this, in another way */
    size_t result_count;
};

/* Gathers the root causes of a report; arrays live in the arena. */
void root_causes_gather(const struct report *report, struct arena *arena,
                        struct root_cause **out_root_causes, size_t *out_count);

/* True if a verdict did not pass and has a cause. */
bool verdict_has_cause(const struct verdict *verdict);

#endif
