/* marks_again.c: see marks_again.h. */
#include "criteria/kinds/marks_again.h"

#include <string.h>

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

/* True if the machine could not measure it, whatever it came to then: who skips a criterion says
 * why (outcome_skip). */
static bool is_unmeasured(const struct verdict *verdict)
{
    bool has_status = verdict->status == STATUS_SKIPPED || verdict->status == STATUS_PARTIAL ||
                      verdict->status == STATUS_PASSED;

    for (size_t i = 0; has_status && i < verdict->measured_count; i++) {
        if (strcmp(verdict->measured[i].key, "why") == 0) {
            return true;
        }
    }
    return false;
}

/* True if nothing is wrong with what a criterion looks at. */
static bool is_sound(const struct verdict *verdicts, size_t count,
                     const struct rubric_criterion *criterion)
{
    for (size_t i = 0; i < count; i++) {
        const struct rubric_criterion *other = verdicts[i].criterion;
        bool is_about_results = other->kind == CRITERION_COMPILE ||
                                other->kind == CRITERION_CORRECT ||
                                other->kind == CRITERION_RACE_FREE;
        bool is_of_launch =
            !other->has_launch || !criterion->has_launch || other->launch == criterion->launch;
        if (is_about_results && is_of_launch && !other->hidden &&
            verdicts[i].status != STATUS_PASSED) {
            return false;
        }
    }
    return true;
}

const struct verdict *marks_settle_unmeasured(const struct rubric *rubric, struct arena *arena,
                                              const struct verdict *verdicts, size_t count)
{
    struct verdict *settled = arena_array(arena, count, sizeof *settled);

    for (size_t i = 0; i < count; i++) {
        struct verdict *verdict = &settled[i];
        *verdict = verdicts[i];
        if (!is_unmeasured(verdict)) {
            continue;
        }
        bool is_full =
            rubric->unmeasured == UNMEASURED_FULL && is_sound(verdicts, count, verdict->criterion);
        if (rubric->unmeasured == UNMEASURED_LEAVE_OUT) {
            verdict->summary =
                verdict->status == STATUS_SKIPPED ? verdict->summary : "not measured here";
            verdict->status = STATUS_SKIPPED;
        } else {
            verdict->status = is_full ? STATUS_PASSED : STATUS_PARTIAL;
            verdict->summary =
                is_full ? "not measured here, counts in full" : "not measured here, counts as 0";
        }
        verdict->points = is_full ? verdict->criterion->points : 0;
    }
    return settled;
}
