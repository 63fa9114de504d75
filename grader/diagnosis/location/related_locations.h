/* related_locations.h: further lines that belong to a cause, besides the one where it showed. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_RELATED_LOCATIONS_H
#define GPUGRADE_DIAGNOSIS_LOCATION_RELATED_LOCATIONS_H

#include "criteria/criteria_input.h"

/* Adds to a verdict's cause, where it is certain:
 *   - an access outside every allocation, by a block beyond the output in a grid with more threads
 *     than the output has elements: where the grid is set
 *   - elements that no thread computes, where whole blocks do not fill the output: where the grid
 *     is set
 *   - elements that no thread computes, where the grid fits blocks of exchanged width and height:
 *     where the grid and the block are set. The cause moves to the one that is wrong, if the kernel
 *     shows which
 *   - a null pointer in a __device__ variable: where host code writes it, as the compiler warned
 *   - a copy that fails, to or from a variable of the device: where that is declared
 *   - a launch that does not end: the loop, and the variable of its condition that nothing changes
 *   - a thread that belongs to the output and reads too far: the loop whose counter it reads with
 *   - a barrier in a loop at which some threads wait while others are past the loop: the loop
 *   - a race: a barrier that a condition keeps from running, or the later of two parts of one
 *     dynamic array that overlap
 *   - an access whose index is wrong: where that is set, and the condition that let the thread in
 *     (index_origin.h)
 *   - a wrong result of a call whose launches all do the same again: the launch
 *   - an access past the end whose index is loaded: what the launch passes for the array that it is
 *     loaded from (passed_pointers.h)
 *   - a race of threads that change what others read: nothing, but the hint says whether the
 *     barrier belongs to a loop, or an atomic is needed
 *   - a result that is no number: the only call of the device code that can make it so
 *     (no_number.h)
 *   - a printout: a format that does not fit what printf is given
 * The last nine change the hint too, and the second and third. */
void related_locations(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict);

#endif
