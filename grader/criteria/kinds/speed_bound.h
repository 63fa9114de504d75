/* speed_bound.h: how near a launch can come to what a GPU allows, by its accesses. No GPU is
 * needed.
 *
 * The roof of a task is what no kernel beats: its operations at the GPU's peak, or its bytes, each
 * moved once, at the bandwidth of memory, whichever takes longer (Williams, Waterman, Patterson,
 * "Roofline", CACM 52/4, 2009). A launch besides makes its own accesses: a multiprocessor serves at
 * most 128 bytes of shared memory and of its L1 cache in a clock cycle (CUDA C++ Programming Guide,
 * "Shared Memory": 32 banks of 4 bytes; a cache line is 128 bytes). So a request for global memory
 * takes at least a cycle, or a cycle for each four of its sectors. Of shared memory the distinct
 * bytes count, as ptxas joins loads of neighbouring words, and a quarter of the wavefronts lost to
 * conflicts, as it joins up to four.
 * A grid that is the same for all shapes has no more multiprocessors than it has blocks.
 * Whatever else it waits for makes it slower, so this is a bound, never a time, and no verdict
 * depends on it. The roof is that of the timed shape, the accesses are those of the visible case
 * that does best.
 */
#ifndef GPUGRADE_CRITERIA_KINDS_SPEED_BOUND_H
#define GPUGRADE_CRITERIA_KINDS_SPEED_BOUND_H

#include "criteria/criteria_input.h"

struct speed_bound {
    const struct observation *observation; /* the visible case that allows most */
    double operations, bytes;              /* of the timed shape, by the rubric */
    double peak_operations, bandwidth;     /* a second */
    double roof;                           /* operations a second that the task allows */
    double own;                            /* that the launch's accesses allow besides; <= roof */
    double reference; /* the same of the reference solution; 0: it was not run */
};

/* Computes it for the criterion's launch on the model of the rubric. False if the launch is not
 * known to be right, its accesses were not counted, or the model's rates are unknown. */
bool speed_bound_of(const struct criteria_input *input, struct arena *arena,
                    const struct rubric_criterion *criterion, struct speed_bound *out_bound);

/* "at most 45 % of what an H200 allows" */
const char *speed_bound_text(const struct criteria_input *input, struct arena *arena,
                             const struct speed_bound *bound);

/* What keeps the launch from the roof, in a sentence, with the line that costs most. */
const char *speed_bound_reason(struct arena *arena, const struct speed_bound *bound);

/* The line whose accesses take the most cycles; NULL: none is known. */
const struct line_count *costliest_line(const struct launch_counts *counts);

/* Adds it to the verdict's evidence. */
void add_speed_bound(const struct criteria_input *input, struct arena *arena,
                     const struct speed_bound *bound, struct verdict *verdict);

#endif
