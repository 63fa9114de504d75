/* timing_samples.h: samples as a device would take them, from times that a test decides. */
#ifndef GPUGRADE_TESTS_TIMING_SAMPLES_H
#define GPUGRADE_TESTS_TIMING_SAMPLES_H

#include "session/timing_estimate.h"

enum { SAMPLES_PER_BLOCK = 2 * TIMING_ROLES };

/* Writes one counterbalanced block, c0 first where `first` is 0, else another contender; times in
 * ns. */
static inline void block_samples(struct timing_sample *out, uint32_t block, uint32_t first,
                                 const double times_ns[TIMING_ROLES])
{
    for (uint32_t i = 0; i < SAMPLES_PER_BLOCK; i++) {
        uint32_t place = i < TIMING_ROLES ? i : SAMPLES_PER_BLOCK - 1 - i;
        uint32_t contender = (place + first) % TIMING_ROLES;
        out[i] = (struct timing_sample){
            .block = block,
            .contender = contender,
            .position = i,
            .is_compared = contender == TIMING_JUDGED,
            .nanoseconds = times_ns[contender],
            .clock_mhz = 1980.0,
            .first_wrong = UINT64_MAX,
        };
    }
}

#endif
