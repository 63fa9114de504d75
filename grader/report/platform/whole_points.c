/* whole_points.c: see whole_points.h. A share is a value on its way to an integer: `part` of it is
 * what it lacks, and `low` and `high` are what it may become. */
#include "report/platform/whole_points.h"

#include <math.h>
#include <stdlib.h>

struct share {
    double exact;
    int64_t whole, low, high;
};

/* Scores add up in another order than rubrics wrote them: 0.1 + 0.2 is 0.3 here. */
static double settled(double value)
{
    return round(value * 1e6) / 1e6;
}

/* The share that is to get one more (or, with step -1, one less) next; NULL: none may. */
static struct share *next_share(struct share *shares, size_t count, int64_t step)
{
    struct share *best = NULL;
    double best_gain = 0;

    for (size_t i = 0; i < count; i++) {
        struct share *share = &shares[i];
        double gain = settled((share->exact - (double)share->whole) * (double)step);
        if (share->whole + step < share->low || share->whole + step > share->high) {
            continue;
        }
        if (best == NULL || gain > best_gain) {
            best = share;
            best_gain = gain;
        }
    }
    return best;
}

/* Settles all shares so that they add up to the rounded sum, where their bounds allow it. */
static void settle(struct share *shares, size_t count)
{
    double exact = 0;
    int64_t whole = 0;

    for (size_t i = 0; i < count; i++) {
        struct share *share = &shares[i];
        share->whole = (int64_t)floor(settled(share->exact));
        share->whole = share->whole < share->low ? share->low : share->whole;
        share->whole = share->whole > share->high ? share->high : share->whole;
        exact += share->exact;
        whole += share->whole;
    }
    int64_t left = (int64_t)round(settled(exact)) - whole;
    while (left != 0) {
        int64_t step = left > 0 ? 1 : -1;
        struct share *share = next_share(shares, count, step);
        if (share == NULL) {
            return;
        }
        share->whole += step;
        left -= step;
    }
}

bool verdict_is_measured(const struct verdict *verdict)
{
    return status_is_judged(verdict->status);
}

/* 0: bonus, 1: measured, 2: not measured. Each group has sums of its own. */
static int group_of(const struct verdict *verdict)
{
    return verdict->criterion->bonus ? 0 : verdict_is_measured(verdict) ? 1 : 2;
}

static void round_maxima(const struct report *report, int group, struct share *shares,
                         struct whole_points *points)
{
    size_t count = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        double exact = report->verdicts[i].criterion->points;
        if (group_of(&report->verdicts[i]) == group) {
            shares[count++] = (struct share){.exact = exact, .high = (int64_t)floor(exact) + 1};
        }
    }
    settle(shares, count);
    count = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (group_of(&report->verdicts[i]) == group) {
            points[i].max_points = shares[count++].whole;
        }
    }
}

static void round_points(const struct report *report, struct share *shares,
                         struct whole_points *points)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        double exact = report->verdicts[i].points;
        int64_t most = points[i].max_points;
        shares[i] = (struct share){.exact = exact,
                                   .low = exact >= report->verdicts[i].criterion->points ? most : 0,
                                   .high = exact > 0 ? most : 0};
    }
    settle(shares, report->verdict_count);
    for (size_t i = 0; i < report->verdict_count; i++) {
        points[i].points = shares[i].whole;
    }
}

void whole_points_round(const struct report *report, struct whole_points *out_points)
{
    struct share *shares = calloc(report->verdict_count + 1, sizeof *shares);

    if (shares == NULL) {
        abort();
    }
    for (int group = 0; group < 3; group++) {
        round_maxima(report, group, shares, out_points);
    }
    round_points(report, shares, out_points);
    free(shares);
}

struct whole_points whole_points_sum(const struct report *report, const struct whole_points *points)
{
    struct whole_points sum = {0, 0};

    for (size_t i = 0; i < report->verdict_count; i++) {
        if (verdict_is_measured(&report->verdicts[i])) {
            sum.points += points[i].points;
            sum.max_points += report->verdicts[i].criterion->bonus ? 0 : points[i].max_points;
        }
    }
    return sum;
}
