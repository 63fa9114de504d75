/* step_moments.h: the moment of a diagnostic in the steps of a block. */
#ifndef GPUGRADE_REPORT_STEP_MOMENTS_H
#define GPUGRADE_REPORT_STEP_MOMENTS_H

#include "model/block_steps.h"
#include "model/report.h"

#include <stdbool.h>
#include <stddef.h>

enum { STEP_NO_LANE = 32 };

/* The step at which what a diagnostic says happens. Of a race it is the later one of two that touch
 * the same bytes. */
struct step_moment {
    size_t step;    /* index in the block's steps */
    uint32_t lane;  /* that does it; STEP_NO_LANE: none in particular */
    bool has_other; /* there is an earlier step of another thread: */
    size_t other;
    uint32_t other_lane;
    bool is_beyond; /* it is about another thread, which is in another block */
};

/* False if the diagnostic has no moment in this block: it has no place, or another block has it. */
bool step_moment_find(const struct block_steps *steps, const struct report_diagnostic *told,
                      struct step_moment *out_moment);

#endif
