/* launch_preconditions.h: what keeps the probes of a launch from being judged, turned into a cause.
 *
 * The order of the questions: the program was not built, is still the template, or tampered; a
 * launch was refused or does not fit its case; a probe did not come to its end; a case came to no
 * launch at all. What the kernel's accesses broke is asked first where it explains the rest.
 */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_LAUNCH_PRECONDITIONS_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_LAUNCH_PRECONDITIONS_H

#include "criteria/criteria_input.h"

/* True if the program of a launch was not built, is the template, cannot be built for other sizes,
 * or tampered with its channel. */
bool blocked_before_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                           struct cause *out_cause);

/* True if a launch that was seen was refused or not probed to its end: a fault, a deadline, an
 * instruction that the device does not know. What the device found in that probe is the cause. */
bool blocked_in_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct cause *out_cause);

/* True if a case that was drawn came to no launch. */
bool precondition_missing_case(const struct criteria_input *input, struct arena *arena,
                               size_t launch, struct cause *out_cause);

/* True if the kernel was launched in no case, so that nothing is known of it: neither its block
 * nor, maybe, its registers. */
bool precondition_unseen_kernel(const struct criteria_input *input, struct arena *arena,
                                size_t launch, struct cause *out_cause);

/* True if in some case the kernel was launched more than once: only the first launch is probed. A
 * whole program may: its main compares and measures by itself. */
bool launched_twice(const struct criteria_input *input, struct arena *arena, size_t launch,
                    struct cause *out_cause);

/* True if one of the above holds, in that order: for criteria that need every probe of every case
 * and nothing besides. */
bool precondition_launch(const struct criteria_input *input, struct arena *arena, size_t launch,
                         struct cause *out_cause);

/* True if each drawn case holds samples of at least one element; false, where nothing is blocked,
 * is a mistake of the grader's or of the rubric's shapes. */
bool all_cases_probed(const struct criteria_input *input, size_t launch);

/* True if no probe of any case changed the output: a kernel that does nothing breaks no rule, and
 * earns nothing for it. */
bool precondition_idle_kernel(const struct criteria_input *input, struct arena *arena,
                              size_t launch, struct cause *out_cause);

/* Shapes that were probed; the first one only tells the block width. */
size_t probed_shapes(const struct criteria_input *input, size_t launch);

/* "8 shapes" */
const char *shapes_text(struct arena *arena, size_t shapes);

#endif
