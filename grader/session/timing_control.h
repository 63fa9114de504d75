/* timing_control.h: times the trusted launches before the submission's launch of this shape runs.
 *
 * A kernel shares its GPU with the launches that it is compared with. If it finds a way to slow
 * them down, they are slower than they were before it ran:
 *
 *   control   2 blocks without the submission's launch; the first does not count (clocks rise)
 *   after     the medians of the measurement
 *
 * A changed clock alone neither excuses nor accuses a kernel: a launch counts as slower only if it
 * took more time and more cycles, at clocks of its own.
 */
#ifndef GPUGRADE_SESSION_TIMING_CONTROL_H
#define GPUGRADE_SESSION_TIMING_CONTROL_H

#include "session/timing_estimate.h"

enum { TIMING_CONTROL_BLOCKS = 2 };

/* Counts as slower from this ratio on. */
#define TIMING_CONTROL_SLOWER 1.05

/* Times of one launch before the submission's kernel ran, by role; only baseline and reference are
 * set. */
struct timing_control {
    double nanoseconds[TIMING_ROLES];
    double cycles[TIMING_ROLES]; /* in units of 1e-3, ns x MHz; 0: the clock is unknown */
};

/* Takes the slowest span of the last block for each role, without spans in which the GPU may have
 * waited. */
void timing_control_note(const struct timing_sample *samples, size_t sample_count,
                         struct timing_control *out_control);

/* True if baseline or reference took longer in the measurement than before. */
bool timing_control_slower(const struct timing_control *control, const struct timing_run *run);

#endif
