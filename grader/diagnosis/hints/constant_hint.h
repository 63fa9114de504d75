/* constant_hint.h: the next step where a constant does not hold the block width. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_CONSTANT_HINT_H
#define GPUGRADE_DIAGNOSIS_HINTS_CONSTANT_HINT_H

#include "criteria/criteria_input.h"

/* Sets the hint of a cause whose subject is a SUBJECT_COPY: whether a copy is missing or copies
 * something else, from the calls in the submission's source; if a copy is missing, also the
 * function that it belongs in, if exactly one place prints the block width. A cause that already
 * has a hint keeps it. */
void constant_explain(const struct criteria_input *input, struct arena *arena, size_t launch,
                      struct cause *cause);

#endif
