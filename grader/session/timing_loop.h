/* timing_loop.h: decides how long to measure and when to stop: the policy of docs/gpu-timing.md.
 *
 *   warm up   1 block, which does not count: gives launches_per_span and how long a block takes
 *   measure   15 blocks (30 pairs), then batches of up to 8, until the speedup, the reference's and
 *             the self-comparison are known to 0.1 %, or the budget is used; at least 3 blocks
 *   longer    a speedup that is then not known to 0.5 % is measured for one more budget, and called
 *             ambiguous if that does not help
 *   again     a self-comparison that is not 1 throws the measurement away and starts a second one;
 *             if that is no better, this machine cannot measure speed now
 *
 * A slow kernel is timed in smaller batches, so that a batch fits in the budget. A wrong output, a
 * changed input or a launch that does not return ends the measurement at once. If one of the
 * grader's own launches fails, that is trouble and is marked as spoilt, because that launch ran
 * successfully before (time_launch.c).
 *
 * The caller provides the function that measures, so tests use scripted devices and clocks.
 */
#ifndef GPUGRADE_SESSION_TIMING_LOOP_H
#define GPUGRADE_SESSION_TIMING_LOOP_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/observation.h"
#include "session/timing_estimate.h"
#include "wire/control.h"

/* One request to the device. */
struct timing_batch {
    uint32_t number; /* of this measurement, from 0: the warm-up */
    uint32_t block_count;
    uint32_t launches_per_span;
};

/* Its result; arrays live until the next batch. */
struct timing_outcome {
    enum launch_status status; /* if not LAUNCH_DONE: how `contender` ended */
    uint32_t contender;
    const struct timing_sample *samples;
    size_t sample_count;
    const struct finding *findings; /* in the run's arena */
    size_t finding_count;
};

struct timing_plan {
    uint64_t budget_ns;
    double settled_below; /* a speedup that is certainly below needs no better estimate */
    uint64_t seed;        /* of the intervals */
    enum error (*measure)(void *context, const struct timing_batch *batch,
                          struct timing_outcome *out_outcome, struct diagnostic *diagnostic);
    uint64_t (*now_ns)(void *context);
    void *context;
};

/* Measures; fills the run's estimates, counts, seconds, and its failure or trouble. Errors: those
 * of `measure`; ERROR_PEER if samples do not follow the protocol. */
enum error timing_loop(const struct timing_plan *plan, struct arena *arena,
                       struct timing_run *out_run, struct diagnostic *diagnostic);

#endif
