/* slip_location.h: a slip in the source (source/source_slips.h) that makes a launch go wrong. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_SLIP_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_SLIP_LOCATION_H

#include "criteria/criteria_input.h"

/* If a criterion fails because of what a launch computes, and one of its kernels has an array that
 * each thread has for itself, or is launched with a list in brackets for a grid or block: names it
 * in the hint of the cause, and marks it. It becomes the place of the cause where that is a result
 * or has no place. */
void slip_location(const struct criteria_input *input, struct arena *arena,
                   struct verdict *verdict);

#endif
