/* finding_hint.h: what to look at when a finding is to be mended. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_FINDING_HINT_H
#define GPUGRADE_DIAGNOSIS_HINTS_FINDING_HINT_H

#include "base/arena.h"
#include "model/verdict.h"

/* The next step, in a few words; "" where there is nothing to say. */
const char *finding_hint(const struct finding *finding);

/* The same for a cause that is the finding: where a GPU names no line, also what does. */
const char *finding_next_step(struct arena *arena, const struct finding *finding);

/* Lets the reason of a cause, if it has one, explain it: sentence, hint and place. What the cause
 * says without it is kept in `plain`. */
void finding_explain_cause(struct arena *arena, struct cause *cause);

/* True for a race in shared memory whose late access, a write, stands before the other, a read: so
 * it is of the next round of a loop. */
bool finding_is_of_next_round(const struct finding *finding);

#endif
