/* slip_location.h: a slip in the source (source/source_slips.h) that makes a launch go wrong. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_SLIP_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_SLIP_LOCATION_H

#include "criteria/criteria_input.h"

/* If a criterion fails because of what a launch computes, names the slip in the hint of the cause,
 * and marks it; it becomes the place of the cause where that is a result or has no place:
 *   - a kernel of the launch keeps in an array of each thread what its block is to share
 *   - a grid or block is a list in brackets, or a block has one row for a kernel that uses
 *     threadIdx.y
 *   - a loop that reads unwritten shared memory goes to RADIUS_MAX where there is a `radius`
 *   - a launch gives two arguments for each other, by the names of the parameters
 *   - the compiler warns of a variable of device code that is read before it has a value: that is
 *     always the place of the cause
 *   - it warns of host code that reads a variable of the device, for the size of a launch
 *   - a cudaMemset() is given a value that it cannot set
 *   - the memory that an access is outside of has as many bytes as there are elements: that
 *     cudaMalloc() is always the place of the cause */
void slip_location(const struct criteria_input *input, struct arena *arena,
                   struct verdict *verdict);

#endif
