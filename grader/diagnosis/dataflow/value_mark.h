/* value_mark.h: marks the value of a wrong store instead of its index, where the index cannot be
 * what is wrong (patterns/stored_values.h), or where the value is made of the right elements.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_VALUE_MARK_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_VALUE_MARK_H

#include "criteria/criteria_input.h"

/* The cause's place is the store, or the atomic, that the wrong element `name` has last been
 * written by; `is_computed`: its value is made of the elements that it needs and no others. */
void mark_stored_value(const struct criteria_input *input, struct arena *arena, const char *name,
                       bool is_computed, struct cause *cause);

#endif
