/* finding_hint.h: how to fix a finding. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_FINDING_HINT_H
#define GPUGRADE_DIAGNOSIS_HINTS_FINDING_HINT_H

#include "base/arena.h"
#include "model/verdict.h"

/* True if an access is before the start of an array that has a name: its index is negative. */
bool finding_is_before_start(const struct finding *finding);

/* The next step, in a few words; "" where there is nothing to say. */
const char *finding_hint(const struct finding *finding);

/* The same for a cause that is the finding. If the GPU names no line, it also says which device
 * does. */
const char *finding_next_step(struct arena *arena, const struct finding *finding);

/* Explains a cause by its reason, if it has one: message, hint and place. The message without the
 * reason is kept in `plain`. */
void finding_explain_cause(struct arena *arena, struct cause *cause);

/* True for a race in shared memory whose late access, a write, is on an earlier line than the
 * other, a read: then it belongs to the next iteration of a loop. */
bool finding_is_of_next_round(const struct finding *finding);

#endif
