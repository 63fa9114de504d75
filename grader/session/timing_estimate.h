/* timing_estimate.h: from the spans of a measurement to ratios with intervals; no device is asked.
 *
 *   block   c0 c1 c2 c3 | c3 c2 c1 c0    gives each contender L = the mean of the logarithms of its
 *                                        two times, and each pair (x, y) one L(x) - L(y)
 *   ratio   exp of the median of L(x) - L(y) over the blocks, with the interval of statistics.h
 *
 * The places of a contender's two spans add up to the same number, whichever contender it is, so a
 * drift of the logarithm of time that is linear over the block falls out of L(x) - L(y).
 *
 * A block in which the multiprocessors' clock was not the same throughout does not count, nor one
 * in which this machine was so late that the GPU may have waited for it.
 */
#ifndef GPUGRADE_SESSION_TIMING_ESTIMATE_H
#define GPUGRADE_SESSION_TIMING_ESTIMATE_H

#include "base/arena.h"
#include "base/statistics.h"
#include "model/observation.h"
#include "wire/timing_record.h"

/* Who is timed. The twin is the reference's launch once more: the two differ by nothing but noise.
 */
enum timing_role { TIMING_JUDGED, TIMING_BASELINE, TIMING_REFERENCE, TIMING_TWIN, TIMING_ROLES };

/* Clocks of one block may differ by this much, of the lower one. */
#define TIMING_CLOCK_SPREAD 0.02

/* What one block that counts gave. Times are of one launch. */
struct timing_block {
    double log_ns[TIMING_ROLES]; /* L of each contender */
    double span_ns[TIMING_ROLES][2];
};

/* All blocks of a measurement. Zeroed at the start, but for the arena. */
struct timing_series {
    struct arena *arena;
    struct timing_block *blocks; /* [count] */
    size_t count, capacity;
    uint32_t rejected, delayed; /* blocks that do not count; those of them that were delayed */
    double clock_low_mhz, clock_high_mhz; /* of what counts; 0: unknown */
};

/* Adds the blocks of one request; `launches` is its launches_per_span. False, and nothing is added,
 * if the samples are not whole counterbalanced blocks of block_count blocks in their order, with a
 * time above zero for each span. */
bool timing_series_add(struct timing_series *series, const struct timing_sample *samples,
                       size_t sample_count, uint32_t block_count, uint32_t launches);

/* The estimate of time(over) / time(under), from at least one block. */
struct timing_ratio timing_series_ratio(const struct timing_series *series, enum timing_role over,
                                        enum timing_role under, uint64_t seed);

/* Half the width of a ratio's interval, in parts of the ratio. */
double timing_half_width(const struct timing_ratio *ratio);

/* Fills what the blocks tell: times, the three ratios, counts and clocks. Without a block only the
 * counts. */
void timing_series_estimate(const struct timing_series *series, uint64_t seed,
                            struct timing_run *out_run);

/* Adds what the comparisons of the judged spans gave, also of blocks that do not count. */
void timing_note_comparisons(const struct timing_sample *samples, size_t sample_count,
                             struct timing_run *run);

#endif
