/* report_student.c: leaves out what is hidden; see report_student.h. */
#include "report/report_student.h"

#include <string.h>

/* True if a hidden criterion looks at the launch and no visible one does. */
static bool launch_is_hidden(const struct report *report, const char *launch)
{
    bool hidden = false;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        if (!criterion->has_launch ||
            strcmp(report->rubric->launches[criterion->launch].id, launch) != 0) {
            continue;
        }
        if (!criterion->hidden) {
            return false;
        }
        hidden = true;
    }
    return hidden;
}

void report_for_student(const struct report *full, struct arena *arena, struct report *out_report)
{
    const struct report *report = full->student != NULL ? full->student : full;
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);
    struct finding *findings = arena_array(arena, report->finding_count, sizeof *findings);
    struct report copy = *report;

    copy.student = NULL;
    copy.verdicts = verdicts;
    copy.verdict_count = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (!report->verdicts[i].criterion->hidden) {
            verdicts[copy.verdict_count++] = report->verdicts[i];
        }
    }
    copy.findings = findings;
    copy.finding_count = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!launch_is_hidden(report, report->findings[i].launch)) {
            findings[copy.finding_count++] = report->findings[i];
        }
    }
    *out_report = copy;
}
