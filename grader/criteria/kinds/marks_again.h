/* marks_again.h: the points of a verdict by another rubric, from what was seen and measured:
 * nothing runs. */
#ifndef GPUGRADE_CRITERIA_KINDS_MARKS_AGAIN_H
#define GPUGRADE_CRITERIA_KINDS_MARKS_AGAIN_H

#include "base/arena.h"
#include "model/verdict.h"

/* Settles a verdict whose criterion is that of the other rubric already; `before` is the one by
 * which it has its points. What passed earns all points; of what was scaled, a speedup is scaled
 * again from what was measured, by the new rule, and everything else earns the share that it
 * earned. Both criteria must look at the same (evidence_sha256). */
void marks_settle_again(const struct rubric *rubric, const struct rubric_criterion *before,
                        struct arena *arena, struct verdict *verdict);

/* Settles what the machine could not measure, as the rubric says it (enum unmeasured): such a
 * criterion is skipped, or it is partial with no points, or it passes if all visible criteria of
 * the kinds compile, correct and race-free of its launch do. `verdicts` [count] are all of a
 * submission; returns them in an array of the arena, settled. Doing so twice, or by another rubric
 * afterwards, does no harm. */
const struct verdict *marks_settle_unmeasured(const struct rubric *rubric, struct arena *arena,
                                              const struct verdict *verdicts, size_t count);

/* Settles a speedup again; false if nothing was measured that could be scaled. */
bool speedup_settle_again(const struct rubric *rubric, struct arena *arena,
                          struct verdict *verdict);

#endif
