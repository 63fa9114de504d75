/* known_arrays.h: of a whole program, whether the device could tell where its operands are. */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_KNOWN_ARRAYS_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_KNOWN_ARRAYS_H

#include "criteria/criteria_input.h"

/* True if a program is judged and in some probe nothing shows where one of the operands is that are
 * wanted, [operand_count]: what is not counted for it would seem to be nothing. */
bool precondition_unknown_array(const struct criteria_input *input, struct arena *arena,
                                size_t launch, const bool *wanted, struct cause *out_cause);

#endif
