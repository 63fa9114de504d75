/* statistics.h: the median and its confidence interval.
 *
 * The interval is the percentile bootstrap of the median (Efron and Tibshirani, An Introduction to
 * the Bootstrap, 1993, chapter 13): the sample is resampled with replacement 2000 times; of the
 * medians of these samples, 95 % are between the 2.5th and the 97.5th percentile. It assumes no
 * distribution. For fewer than six values it spans all of them, or nearly, and contains the true
 * median less often than 95 %: for three values 75 %.
 */
#ifndef GPUGRADE_BASE_STATISTICS_H
#define GPUGRADE_BASE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

enum { STATISTICS_RESAMPLES = 2000 };

/* A median and its 95 % interval: low <= median <= high. */
struct median_estimate {
    double median, low, high;
};

/* The middle of values[count], the mean of the middle two if count is even; 0 if there are none.
 * The values are finite. */
double statistics_median(const double *values, size_t count);

/* The median of values[count] with its interval. The same values, in any order, and the same seed
 * give the same interval. */
struct median_estimate statistics_estimate(const double *values, size_t count, uint64_t seed);

#endif
