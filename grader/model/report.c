/* report.c: sums over the verdicts of a report, and what stands out; see report.h. */
#include "model/report.h"

#include "base/text.h"

#include <string.h>

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
        sum += status_is_judged(report->verdicts[i].status) ? total_of(&report->verdicts[i]) : 0;
    }
    return sum;
}

const char *report_next_step(const struct report *report)
{
    bool is_full = report->verdict_count > 0 && report->rubric != NULL && report->only == NULL;

    for (size_t i = 0; i < report->verdict_count && is_full; i++) {
        enum status status = report->verdicts[i].status;
        is_full = status == STATUS_PASSED || status == STATUS_SKIPPED || status == STATUS_OPEN;
    }
    return is_full && report_score(report) > 0 ? text_or_empty(report->rubric->next) : "";
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
        if (!status_is_judged(report->verdicts[i].status)) {
            return false;
        }
    }
    return true;
}

bool report_wants_review(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (status_review(report->verdicts[i].status, report->verdicts[i].cause.code) != NULL) {
            return true;
        }
    }
    return false;
}

bool report_has_error(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].status == STATUS_ERROR) {
            return true;
        }
    }
    return false;
}

/* The largest speedup among the facts; 0: none. */
static double largest_speedup(const struct verdict *verdict)
{
    double largest = 0;

    for (size_t i = 0; i < verdict->measured_count; i++) {
        const struct evidence *fact = &verdict->measured[i];
        bool is_speedup = fact->type == EVIDENCE_NUMBER && strcmp(fact->key, "speedup") == 0;
        largest = is_speedup && fact->number > largest ? fact->number : largest;
    }
    return largest;
}

double report_speedup(const struct report *report)
{
    double largest = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        double speedup = largest_speedup(&report->verdicts[i]);
        largest = speedup > largest ? speedup : largest;
    }
    return largest;
}

const char *report_cuda_version(const char *compiler)
{
    static const char nvcc[] = "nvcc ";

    return compiler != NULL && strncmp(compiler, nvcc, sizeof nvcc - 1) == 0
               ? compiler + sizeof nvcc - 1
               : "";
}
