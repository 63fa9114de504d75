/* launch_profiles.h: what each observed launch cost, for drawing it (model/launch_profile.h).
 *
 * A profile is of the largest visible shape for which the emulated device counted. The loads of the
 * naive kernel, which has one thread for each element of the output, are computed from what the
 * oracle says each element needs.
 */
#ifndef GPUGRADE_SUBMISSION_LAUNCH_PROFILES_H
#define GPUGRADE_SUBMISSION_LAUNCH_PROFILES_H

#include "criteria/criteria_input.h"
#include "model/launch_profile.h"

/* Makes the profiles of all launches that were counted, in the rubric's order, in the arena. */
void launch_profiles_make(const struct criteria_input *input, struct arena *arena,
                          const struct launch_profile **out_profiles, size_t *out_count);

#endif
