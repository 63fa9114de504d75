/* missing_launch.h: why the kernel of a launch was not seen, as a cause. */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_MISSING_LAUNCH_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_MISSING_LAUNCH_H

#include "criteria/criteria_input.h"

/* Why the kernel of a launch was not seen: what went wrong in the run, or else that nothing is
 * launched yet, or that others are launched but not this one. `shape` names the case in which it
 * was missing; NULL: in all of them. */
struct cause cause_of_missing_launch(const struct criteria_input *input, struct arena *arena,
                                     size_t launch, const char *shape);

#endif
