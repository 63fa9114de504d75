/* constant_hint.h: the next step where a constant does not hold the block width of the blocks. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_CONSTANT_HINT_H
#define GPUGRADE_DIAGNOSIS_HINTS_CONSTANT_HINT_H

#include "criteria/criteria_input.h"

/* Gives a cause whose subject is a SUBJECT_COPY its hint: whether a copy is missing or copies
 * something else, by the calls in the submission's source; where a copy is missing, also the
 * function that it belongs to, if exactly one place prints the block width. A cause that has a hint
 * keeps it. */
void constant_explain(const struct criteria_input *input, struct arena *arena, size_t launch,
                      struct cause *cause);

#endif
