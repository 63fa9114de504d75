/* whole_points.h: points as integers, for formats that need them, by the largest remainder.
 *
 *     6.5 of 10     6 | .5  <- gets the remaining point       7 of 10
 *     3.25 of 5     3 | .25                                   3 of 5
 *     9.75 sum     10                                        10
 *
 * The maxima are rounded first, so that those of the criteria that were measured, of those that
 * were not, and of bonus criteria each add up to the rounded sum. The points add up to the rounded
 * score unless that breaks one of these rules, which come first:
 *   - no points are below 0 or above their maximum;
 *   - a criterion that earned nothing has 0, one that earned everything has its maximum.
 * With maxima that are integers anyway, as in all shipped rubrics, the sum always is the rounded
 * score. A format's total is the sum of what it shows.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_WHOLE_POINTS_H
#define GPUGRADE_REPORT_PLATFORM_WHOLE_POINTS_H

#include "model/report.h"

#include <stdint.h>

struct whole_points {
    int64_t points, max_points;
};

/* False for skipped and error: points that were neither earned nor lost. */
bool verdict_is_measured(const struct verdict *verdict);

/* Rounds the points of all verdicts, [verdict_count]. */
void whole_points_round(const struct report *report, struct whole_points *out_points);

/* The sums of what was measured; the maximum without bonus. */
struct whole_points whole_points_sum(const struct report *report,
                                     const struct whole_points *points);

#endif
