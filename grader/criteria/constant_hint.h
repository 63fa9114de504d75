/* constant_hint.h: the next step where a constant does not hold the block width of the blocks. */
#ifndef GPUGRADE_CRITERIA_CONSTANT_HINT_H
#define GPUGRADE_CRITERIA_CONSTANT_HINT_H

#include "criteria/criteria.h"

/* A constant `name` of the program of launch `launch` holds `value`, which is wrong; the block has
 * `block width` columns. Tells whether a copy is missing or copies something else, by the calls in
 * the submission's source; where a copy is missing, also the function that it belongs to, if
 * exactly one place prints the block width. */
const char *constant_hint(const struct criteria_input *input, struct arena *arena, size_t launch,
                          const char *name, int64_t value, int64_t block_width);

#endif
