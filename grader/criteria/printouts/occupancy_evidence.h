/* occupancy_evidence.h: the occupancy card of an observed kernel as facts beside a verdict. */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_OCCUPANCY_EVIDENCE_H
#define GPUGRADE_CRITERIA_PRINTOUTS_OCCUPANCY_EVIDENCE_H

#include "criteria/criteria_input.h"

/* Adds registers and shared bytes of the kernel of a launch, the blocks that each resource allows,
 * the one that binds, and the next cliffs ("2 registers more and 5 blocks fit instead of 6"). Adds
 * nothing where the kernel was not launched or its registers are unknown, and registers and bytes
 * alone where the registers are an interval. */
void add_occupancy_card(const struct criteria_input *input, struct arena *arena, size_t launch,
                        struct verdict *verdict);

#endif
