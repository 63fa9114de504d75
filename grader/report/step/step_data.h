/* step_data.h: the steps of a block as numbers for the script of the page.
 *
 * JSON of numbers alone, and one string of base 36 numbers: no text of a submission is in it.
 *
 *   ops      [kind, space, bytes, place, releases]    what a step does and where
 *   lanes    the sets of lanes that occur, a bit each
 *   shapes   where the lanes of an access are: one distance from lane to lane, or a list
 *   steps    for each: op,warp,lanes[,other]  or of an access  op,warp,lanes,other,shape,first;
 *            the numbers of lanes and others are those in `lanes`; `first` is less that of the op
 *            before
 *   gaps     [where, how many are left out, [warp, barrier, lanes that wait] ...,
 *            [warp, ended] ...]
 */
#ifndef GPUGRADE_REPORT_STEP_STEP_DATA_H
#define GPUGRADE_REPORT_STEP_STEP_DATA_H

#include "base/text.h"
#include "model/block_steps.h"

#include <stddef.h>

/* More steps than these are sampled, or fewer where they take more bytes. */
enum { STEP_DATA_STEPS = 1 << 16, STEP_DATA_BYTES = 1200 << 10 };

struct step_data {
    struct text json;
    size_t shown;   /* steps that are in it */
    size_t *number; /* [step_count] of a step in it; SIZE_MAX: it is left out; owned */
};

/* Makes the data; steps around `moments` [count], indices of steps, are among those that are kept.
 * Of the others, the first are. */
void step_data_make(const struct block_steps *steps, const size_t *moments, size_t count,
                    struct step_data *out_data);
void step_data_release(struct step_data *data);

#endif
