/* timing_estimate.h: computes ratios with intervals from the spans of a measurement; uses no
 * device.
 *
 *   block   c0 c1 c2 c3 | c3 c2 c1 c0    gives each contender L = the mean of the logarithms of its
 *                                        two times, and each pair (x, y) one L(x) - L(y)
 *   ratio   exp of the median of L(x) - L(y) over the blocks, with the interval of statistics.h
 *
 * The positions of a contender's two spans add up to the same number for every contender. So a
 * drift of the logarithm of time that is linear over the block cancels in L(x) - L(y).
 *
 * Launches that heat a GPU differently run at different clocks, tensor cores below others; each is
 * held against itself. A block does not count if the multiprocessors' clock changed between the two
 * spans of one contender, if the judged launch had a higher clock than the baseline, whose time it
 * is compared with, or if this machine was so late that the GPU may have waited for it. So a ratio
 * is one of times, each at the clock that the GPU gives to that launch, and no submission gains
 * from a clock that fell for the baseline.
 */
#ifndef GPUGRADE_SESSION_TIMING_ESTIMATE_H
#define GPUGRADE_SESSION_TIMING_ESTIMATE_H

#include "base/arena.h"
#include "base/statistics.h"
#include "model/observation.h"
#include "wire/timing_record.h"

/* What is timed. TIMING_TWIN is a second copy of the reference's launch: the two differ only by
 * noise. */
enum timing_role { TIMING_JUDGED, TIMING_BASELINE, TIMING_REFERENCE, TIMING_TWIN, TIMING_ROLES };

/* Clocks that count as the same may differ by this fraction of the lower one. */
#define TIMING_CLOCK_SPREAD 0.02

/* What a contender ran at; 0: unknown. */
struct clock_range {
    double low_mhz, high_mhz;
};

/* The result of one block that counts. Times are for one launch. */
struct timing_block {
    double log_ns[TIMING_ROLES]; /* L of each contender */
    double span_ns[TIMING_ROLES][2];
};

/* All blocks of a measurement. Starts zeroed, except for the arena. */
struct timing_series {
    struct arena *arena;
    struct timing_block *blocks; /* [count] */
    size_t count, capacity;
    uint32_t rejected, delayed;              /* blocks that do not count; delayed ones among them */
    struct clock_range clocks[TIMING_ROLES]; /* in the blocks that count */
};

/* Adds the blocks of one request; `launches` is its launches_per_span. Returns false and adds
 * nothing unless the samples are block_count whole counterbalanced blocks in order, with a time
 * above zero for each span. */
bool timing_series_add(struct timing_series *series, const struct timing_sample *samples,
                       size_t sample_count, uint32_t block_count, uint32_t launches);

/* The estimate of time(over) / time(under), from at least one block. */
struct timing_ratio timing_series_ratio(const struct timing_series *series, enum timing_role over,
                                        enum timing_role under, uint64_t seed);

/* Half the width of a ratio's interval, as a fraction of the ratio. */
double timing_half_width(const struct timing_ratio *ratio);

/* Fills times, the three ratios, counts and clocks from the blocks. Without a block it fills only
 * the counts. */
void timing_series_estimate(const struct timing_series *series, uint64_t seed,
                            struct timing_run *out_run);

/* Adds the results of comparing the judged spans, also for blocks that do not count. */
void timing_note_comparisons(const struct timing_sample *samples, size_t sample_count,
                             struct timing_run *run);

#endif
