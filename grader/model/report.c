/* report.c: sums over the verdicts of a report; see report.h. */
#include "model/report.h"

static bool is_measurable(const struct verdict *verdict)
{
    return verdict->status != STATUS_SKIPPED && verdict->status != STATUS_ERROR;
}

double report_score(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += report->verdicts[i].points;
    }
    return sum;
}

double report_max_score(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += report->verdicts[i].criterion->points;
    }
    return sum;
}

double report_measurable_max(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        if (is_measurable(&report->verdicts[i])) {
            sum += report->verdicts[i].criterion->points;
        }
    }
    return sum;
}

bool report_complete(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (!is_measurable(&report->verdicts[i])) {
            return false;
        }
    }
    return true;
}
