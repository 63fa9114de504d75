/* race_explanation.h: how to fix a race, by what the source has in the lines of its accesses. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_RACE_EXPLANATION_H
#define GPUGRADE_DIAGNOSIS_LOCATION_RACE_EXPLANATION_H

#include "model/verdict.h"
#include "source/source_tokens.h"

/* Changes the hint of a cause that is about a race, or comes from one, where the source of both
 * accesses tells more than their order:
 *   - in shared memory: whether the barrier belongs to a loop whose rounds read what others wrote,
 *     or all threads change one element
 *   - in device memory: whether an array is changed in place, cleared beside other blocks, or
 *     ordered by barriers of a block alone; or blocks change one element
 * `finding` may be NULL: then nothing is changed. */
void race_explain(struct arena *arena, const struct source_tokens *tokens,
                  const struct finding *finding, struct cause *cause);

#endif
