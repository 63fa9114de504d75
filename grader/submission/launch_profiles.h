/* launch_profiles.h: what each observed launch cost, for whoever draws it (model/launch_profile.h).
 *
 * Of the largest visible shape in which the emulated device counted. What the naive kernel would
 * load, one thread for each element of the output, follows from what the oracle says an element is
 * computed from.
 */
#ifndef GPUGRADE_SUBMISSION_LAUNCH_PROFILES_H
#define GPUGRADE_SUBMISSION_LAUNCH_PROFILES_H

#include "criteria/criteria_input.h"
#include "model/launch_profile.h"

/* Makes the profiles of all launches that were counted, in the rubric's order, in the arena. */
void launch_profiles_make(const struct criteria_input *input, struct arena *arena,
                          const struct launch_profile **out_profiles, size_t *out_count);

#endif
