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

double report_bonus(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += report->verdicts[i].criterion->bonus ? report->verdicts[i].points : 0;
    }
    return sum;
}

/* What a verdict's criterion adds to the total. */
static double total_of(const struct verdict *verdict)
{
    return verdict->criterion->bonus ? 0 : verdict->criterion->points;
}

double report_max_score(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += total_of(&report->verdicts[i]);
    }
    return sum;
}

double report_measurable_max(const struct report *report)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += is_measurable(&report->verdicts[i]) ? total_of(&report->verdicts[i]) : 0;
    }
    return sum;
}

double report_points_with(const struct report *report, enum status status)
{
    double sum = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        sum += report->verdicts[i].status == status ? total_of(&report->verdicts[i]) : 0;
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
