/* launch_findings.h: what the device found while a launch was probed, and on the program's own
 * data.
 *
 * Which finding is reported first. One mistake shows in several ways: an access outside of its
 * array leaves the right element unwritten, a barrier that not all threads reach lets accesses
 * race, a race reads what is not written yet. So accesses come first (and what stops a kernel),
 * then barriers, then races, then reads of memory that was never written. Among equals the first
 * one that was seen is reported.
 *
 * What fails. An error fails, and so does a race within a warp unless the rubric makes it a remark.
 * Severities are set where findings are made (session/finding_map.h): an error is what CUDA leaves
 * undefined.
 */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_LAUNCH_FINDINGS_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_LAUNCH_FINDINGS_H

#include "criteria/criteria_input.h"

/* True for a finding about accesses to memory or about barriers: what `race-free` judges. */
bool finding_is_about_accesses(const struct finding *finding);

/* True if a finding counts against a launch; `allows_warp_races` as in the rubric. What the device
 * does not know never counts. */
bool finding_counts(const struct finding *finding, bool allows_warp_races);

/* True if such a launch ends with an error on a real GPU, so that nothing after it works. */
bool finding_is_fault(const struct finding *finding);

/* The finding that is reported first of some [count]; NULL if none counts. */
const struct finding *worst_finding(const struct finding *findings, size_t count);

/* The finding that is reported first of all probes of a launch, then of the program's own data.
 * NULL if none counts. */
const struct finding *worst_launch_finding(const struct criteria_input *input, size_t launch,
                                           bool allows_warp_races);

#endif
