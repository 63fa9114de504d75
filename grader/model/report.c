/* report.c: sums over the verdicts of a report, and what stands out; see report.h. */
#include "model/report.h"

#include "base/text.h"

#include <math.h>
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

/* True if nothing of what students see is wrong with what the submission computes. */
static bool is_right(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        bool is_about_results = criterion->kind == CRITERION_COMPILE ||
                                criterion->kind == CRITERION_CORRECT ||
                                criterion->kind == CRITERION_RACE_FREE;
        if (is_about_results && !criterion->hidden && report->verdicts[i].status != STATUS_PASSED) {
            return false;
        }
    }
    return true;
}

static double ranked_speedup(const struct report *report)
{
    const struct leaderboard_rule *rule = &report->rubric->leaderboard;
    double largest = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        if (!criterion->hidden && (!rule->has_launch || criterion->launch == rule->launch)) {
            largest = fmax(largest, largest_speedup(&report->verdicts[i]));
        }
    }
    return round(largest * 100) / 100;
}

static bool has_instructions(const struct report *report, size_t launch)
{
    for (size_t i = 0; i < report->profile_count; i++) {
        if (report->profiles[i].launch == launch && report->profiles[i].warp_instructions > 0) {
            return true;
        }
    }
    return false;
}

/* True if the instructions of all launches that students write were counted. */
static bool has_all_instructions(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        if (criterion->kind == CRITERION_CORRECT && !criterion->hidden && criterion->has_launch &&
            !has_instructions(report, criterion->launch)) {
            return false;
        }
    }
    return true;
}

static double ranked_instructions(const struct report *report)
{
    const struct leaderboard_rule *rule = &report->rubric->leaderboard;
    double sum = 0;

    if (!rule->has_launch && !has_all_instructions(report)) {
        return 0;
    }
    for (size_t i = 0; i < report->profile_count; i++) {
        const struct launch_profile *profile = &report->profiles[i];
        sum += !rule->has_launch || profile->launch == rule->launch
                   ? (double)profile->warp_instructions
                   : 0;
    }
    return sum;
}

/* The real GPU that took part; "": none did. */
static const char *real_gpu(const struct report *report)
{
    for (size_t i = 0; i < report->device_count; i++) {
        if (strcmp(report->devices[i].kind, "cuda") == 0) {
            return report->devices[i].gpu_model;
        }
    }
    return "";
}

bool report_rank(const struct report *report, struct report_rank *out_rank)
{
    const struct report *shown = report->student != NULL ? report->student : report;
    struct report_rank rank = {.name = "", .gpu = ""};

    if (report->rank != NULL) {
        *out_rank = *report->rank;
        return true;
    }
    switch (report->rubric->leaderboard.by) {
    case RANKED_BY_SPEEDUP:
        rank = (struct report_rank){"speedup", ranked_speedup(shown), false, real_gpu(shown)};
        break;
    case RANKED_BY_INSTRUCTIONS:
        rank = (struct report_rank){"instructions", ranked_instructions(shown), true, ""};
        break;
    default:
        break;
    }
    if (rank.value <= 0 || report->only != NULL || !is_right(shown)) {
        return false;
    }
    *out_rank = rank;
    return true;
}
