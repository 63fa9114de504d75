/* marks_again.c: see marks_again.h. */
#include "criteria/kinds/marks_again.h"

void marks_settle_again(const struct rubric *rubric, const struct rubric_criterion *before,
                        struct arena *arena, struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;

    if (criterion->kind == CRITERION_SPEEDUP && speedup_settle_again(rubric, arena, verdict)) {
        return;
    }
    switch (verdict->status) {
    case STATUS_PASSED:
        verdict->points = criterion->points;
        return;
    case STATUS_PARTIAL:
        verdict->points =
            before->points > 0 ? verdict->points / before->points * criterion->points : 0;
        return;
    case STATUS_FAILED:
    case STATUS_SKIPPED:
    case STATUS_ERROR:
    case STATUS_OPEN:
    case STATUSES:
        verdict->points = 0;
        return;
    }
}
