/* exit_location.h: where threads leave that never come to a barrier.
 *
 * Compilers let all threads leave at the end of a kernel, so that a device sees them exit at its
 * closing brace. Who mends the kernel looks for the `return` before the barrier. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_EXIT_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_EXIT_LOCATION_H

#include "source/source_index.h"

/* Moves the places of the report's findings at which threads exited to the `return`, or to the
 * condition before it: only where the source has one way to leave before the barrier. The index is
 * of the report's sources. */
void locate_exits(struct arena *arena, struct source_index *index, struct report *report);

#endif
