/* exit_location.h: where threads exit that never reach a barrier.
 *
 * Compilers let all threads exit at the end of a kernel, so the device sees them exit at its
 * closing brace. To fix the kernel, you need the `return` before the barrier. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_EXIT_LOCATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_EXIT_LOCATION_H

#include "source/source_index.h"

/* Moves the places at which threads exited, in the report's findings, to the `return` or to the
 * condition before it: only where the source has one way to exit before the barrier. The index is
 * of the report's sources. */
void locate_exits(struct arena *arena, struct source_index *index, struct report *report);

#endif
