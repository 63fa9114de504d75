/* statistics.c: medians and their intervals; see statistics.h.
 *
 * A draw from sorted values is a number for each of them: how often it was drawn. Its median is
 * found by counting up to the middle, so a draw is never sorted.
 */
#include "base/statistics.h"

#include "base/arena.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { PERCENTILE_OUTSIDE = STATISTICS_RESAMPLES / 40 }; /* 2.5 % on each side */

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static double *sorted_copy(struct arena *arena, const double *values, size_t count)
{
    double *copy = arena_array(arena, count, sizeof *copy);

    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare_values);
    return copy;
}

static double median_of_sorted(const double *sorted, size_t count)
{
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

/* The median of one draw: sorted[i] was drawn drawn[i] times, `count` in all. */
static double median_of_draw(const double *sorted, const uint32_t *drawn, size_t count)
{
    size_t lower_rank = (count - 1) / 2;
    size_t upper_rank = count / 2;
    size_t i = 0;
    size_t seen = drawn[0]; /* of ranks 0 to seen - 1 it is known where they are */

    while (seen <= lower_rank) {
        seen += drawn[++i];
    }
    double lower = sorted[i];
    while (seen <= upper_rank) {
        seen += drawn[++i];
    }
    return 0.5 * (lower + sorted[i]);
}

double statistics_median(const double *values, size_t count)
{
    if (count == 0) {
        return 0.0;
    }
    struct arena *arena = arena_new();
    double median = median_of_sorted(sorted_copy(arena, values, count), count);
    arena_free(arena);
    return median;
}

struct median_estimate statistics_estimate(const double *values, size_t count, uint64_t seed)
{
    struct median_estimate estimate = {0.0, 0.0, 0.0};
    struct rng rng;

    if (count == 0) {
        return estimate;
    }
    struct arena *arena = arena_new();
    const double *sorted = sorted_copy(arena, values, count);
    double *medians = arena_array(arena, STATISTICS_RESAMPLES, sizeof *medians);
    uint32_t *drawn = arena_array(arena, count, sizeof *drawn);

    rng_init(&rng, seed, count, 0, 0);
    for (size_t i = 0; i < STATISTICS_RESAMPLES; i++) {
        memset(drawn, 0, count * sizeof *drawn);
        for (size_t j = 0; j < count; j++) {
            drawn[rng_range(&rng, 0, (int64_t)count - 1)]++;
        }
        medians[i] = median_of_draw(sorted, drawn, count);
    }
    qsort(medians, STATISTICS_RESAMPLES, sizeof *medians, compare_values);
    estimate.median = median_of_sorted(sorted, count);
    estimate.low = medians[PERCENTILE_OUTSIDE];
    estimate.high = medians[STATISTICS_RESAMPLES - 1 - PERCENTILE_OUTSIDE];
    arena_free(arena);
    return estimate;
}
