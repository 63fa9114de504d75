/* root_cause_join.h: joins the root causes of one launch that one mistake explains. */
#ifndef GPUGRADE_DIAGNOSIS_GROUPING_ROOT_CAUSE_JOIN_H
#define GPUGRADE_DIAGNOSIS_GROUPING_ROOT_CAUSE_JOIN_H

#include "diagnosis/grouping/root_cause.h"

/* The id of the launch that a finding is about; for a finding on the program's own data, the launch
 * of the rubric with the same kernel, if that is certain. "" where there is none. */
const char *finding_launch(const struct report *report, const struct finding *finding);

/* Merges each root cause that another one probably explains into that one: its verdicts become
 * results, its findings what follows. Keeps the order of the others and returns how many are
 * left. */
size_t root_causes_join(const struct report *report, struct arena *arena,
                        struct root_cause *root_causes, size_t count);

#endif
