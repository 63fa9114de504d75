/* timing_estimate.c: see timing_estimate.h. */
#include "session/timing_estimate.h"

#include <math.h>
#include <string.h>

enum { SPANS_PER_BLOCK = 2 * TIMING_ROLES };

/* The clocks of one block. */
struct block_clocks {
    struct clock_range by[TIMING_ROLES];
    bool is_delayed; /* a span of it */
};

static void widen(struct clock_range *range, double low_mhz, double high_mhz)
{
    if (low_mhz > 0.0 && (range->low_mhz == 0.0 || low_mhz < range->low_mhz)) {
        range->low_mhz = low_mhz;
    }
    range->high_mhz = fmax(range->high_mhz, high_mhz);
}

static bool is_above(double high_mhz, double low_mhz)
{
    return low_mhz > 0.0 && high_mhz > low_mhz * (1.0 + TIMING_CLOCK_SPREAD);
}

/* True if each launch had one clock in a block, and the judged one none above the baseline's. */
static bool is_steady(const struct block_clocks *clocks)
{
    for (int i = 0; i < TIMING_ROLES; i++) {
        if (is_above(clocks->by[i].high_mhz, clocks->by[i].low_mhz)) {
            return false;
        }
    }
    return !is_above(clocks->by[TIMING_JUDGED].high_mhz, clocks->by[TIMING_BASELINE].low_mhz);
}

/* Reads the spans of one block; false if they are not counterbalanced of all contenders. */
static bool read_block(const struct timing_sample *samples, uint32_t index, uint32_t launches,
                       struct timing_block *out_block, struct block_clocks *out_clocks)
{
    size_t seen[TIMING_ROLES] = {0};

    memset(out_clocks, 0, sizeof *out_clocks);
    memset(out_block, 0, sizeof *out_block);
    for (uint32_t i = 0; i < SPANS_PER_BLOCK; i++) {
        const struct timing_sample *sample = &samples[i];
        uint32_t contender = sample->contender;

        if (sample->block != index || sample->position != i || contender >= TIMING_ROLES ||
            contender != samples[SPANS_PER_BLOCK - 1 - i].contender || seen[contender] >= 2 ||
            !isfinite(sample->nanoseconds) || !(sample->nanoseconds > 0.0) ||
            !isfinite(sample->clock_mhz) || sample->clock_mhz < 0.0) {
            return false;
        }
        double launch_ns = sample->nanoseconds / (double)launches;
        out_block->span_ns[contender][seen[contender]++] = launch_ns;
        out_block->log_ns[contender] += 0.5 * log(launch_ns);
        widen(&out_clocks->by[contender], sample->clock_mhz, sample->clock_mhz);
        out_clocks->is_delayed = out_clocks->is_delayed || sample->is_delayed;
    }
    return true;
}

bool timing_series_add(struct timing_series *series, const struct timing_sample *samples,
                       size_t sample_count, uint32_t block_count, uint32_t launches)
{
    struct timing_block block;
    struct block_clocks clocks;

    if (sample_count != (size_t)block_count * SPANS_PER_BLOCK || launches == 0) {
        return false;
    }
    for (uint32_t i = 0; i < block_count; i++) {
        if (!read_block(samples + (size_t)i * SPANS_PER_BLOCK, i, launches, &block, &clocks)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < block_count; i++) {
        (void)read_block(samples + (size_t)i * SPANS_PER_BLOCK, i, launches, &block, &clocks);
        if (clocks.is_delayed || !is_steady(&clocks)) {
            series->rejected++;
            series->delayed += clocks.is_delayed ? 1 : 0;
            continue;
        }
        arena_grow(series->arena, &series->blocks, &series->capacity, series->count + 1,
                   sizeof *series->blocks);
        series->blocks[series->count++] = block;
        for (int k = 0; k < TIMING_ROLES; k++) {
            widen(&series->clocks[k], clocks.by[k].low_mhz, clocks.by[k].high_mhz);
        }
    }
    return true;
}

struct timing_ratio timing_series_ratio(const struct timing_series *series, enum timing_role over,
                                        enum timing_role under, uint64_t seed)
{
    struct arena *scratch = arena_new();
    double *logarithms = arena_array(scratch, series->count, sizeof *logarithms);

    for (size_t i = 0; i < series->count; i++) {
        logarithms[i] = series->blocks[i].log_ns[over] - series->blocks[i].log_ns[under];
    }
    struct median_estimate estimate = statistics_estimate(logarithms, series->count, seed);
    arena_free(scratch);
    return (struct timing_ratio){
        .value = exp(estimate.median),
        .low = exp(estimate.low),
        .high = exp(estimate.high),
    };
}

double timing_half_width(const struct timing_ratio *ratio)
{
    return 0.5 * (ratio->high - ratio->low) / ratio->value;
}

static double median_ns(const struct timing_series *series, enum timing_role role)
{
    struct arena *scratch = arena_new();
    double *times = arena_array(scratch, 2 * series->count, sizeof *times);

    for (size_t i = 0; i < series->count; i++) {
        times[2 * i] = series->blocks[i].span_ns[role][0];
        times[2 * i + 1] = series->blocks[i].span_ns[role][1];
    }
    double median = statistics_median(times, 2 * series->count);
    arena_free(scratch);
    return median;
}

void timing_series_estimate(const struct timing_series *series, uint64_t seed,
                            struct timing_run *out_run)
{
    struct clock_range all = {0.0, 0.0};

    out_run->blocks = (uint32_t)series->count;
    out_run->rejected = series->rejected;
    out_run->delayed = series->delayed;
    for (int i = 0; i < TIMING_ROLES; i++) {
        widen(&all, series->clocks[i].low_mhz, series->clocks[i].high_mhz);
    }
    out_run->clock_low_mhz = all.low_mhz;
    out_run->clock_high_mhz = all.high_mhz;
    out_run->baseline_low_mhz = series->clocks[TIMING_BASELINE].low_mhz;
    out_run->reference_low_mhz = series->clocks[TIMING_REFERENCE].low_mhz;
    if (series->count == 0) {
        return;
    }
    out_run->student_ns = median_ns(series, TIMING_JUDGED);
    out_run->baseline_ns = median_ns(series, TIMING_BASELINE);
    out_run->reference_ns = median_ns(series, TIMING_REFERENCE);
    out_run->speedup = timing_series_ratio(series, TIMING_BASELINE, TIMING_JUDGED, seed);
    out_run->reference = timing_series_ratio(series, TIMING_BASELINE, TIMING_REFERENCE, seed);
    out_run->self = timing_series_ratio(series, TIMING_TWIN, TIMING_REFERENCE, seed);
}

void timing_note_comparisons(const struct timing_sample *samples, size_t sample_count,
                             struct timing_run *run)
{
    for (size_t i = 0; i < sample_count; i++) {
        if (samples[i].contender != TIMING_JUDGED || !samples[i].is_compared) {
            continue;
        }
        run->compared++;
        if (samples[i].changed > 0 && run->changed_spans++ == 0) {
            run->changed = samples[i].changed;
        }
        if (samples[i].wrong == 0) {
            continue;
        }
        if (run->wrong_spans++ == 0) {
            run->wrong = samples[i].wrong;
            run->first_wrong = samples[i].first_wrong;
        }
    }
}
