/* same_probe.h: the probe that another launch had with the same inputs: of a given kernel, or of
 * the reference solution. */
#ifndef GPUGRADE_CRITERIA_TRAFFIC_SAME_PROBE_H
#define GPUGRADE_CRITERIA_TRAFFIC_SAME_PROBE_H

#include "criteria/criteria_input.h"

/* The sample of a run for the same case, sizes and inputs as a sample of another one; NULL if it
 * was not made. *out_observation is the one that it belongs to. */
const struct sample *same_probe(const struct rubric *rubric, const struct launch_run *run,
                                const struct observation *observation, const struct sample *sample,
                                const struct observation **out_observation);

#endif
