/* finding_hint.h: what to look at when a finding is to be mended. */
#ifndef GPUGRADE_MODEL_FINDING_HINT_H
#define GPUGRADE_MODEL_FINDING_HINT_H

#include "model/finding.h"

/* The next step, in a few words; "" where there is nothing to say. */
const char *finding_hint(const struct finding *finding);

/* True for a race in shared memory whose late access, a write, stands before the other, a read: so
 * it is of the next round of a loop. */
bool finding_is_of_next_round(const struct finding *finding);

#endif
