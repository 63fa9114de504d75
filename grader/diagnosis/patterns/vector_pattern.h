/* vector_pattern.h: a set of elements of an output of one dimension, in words: "the first element
 * of each block".
 *
 * As in axis_pattern.h, whose sets and result it takes, a description is given only if it is
 * exactly the set in every case. But a vector need not be a multiple of the block, and blocks may
 * have another size in each case, so all places are counted within the case's own block.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_VECTOR_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_VECTOR_PATTERN_H

#include "diagnosis/patterns/axis_pattern.h"

/* Finds a place that has a name: the first element of each block, what no block covers, one half.
 * False if none holds for all sets, none of which may be empty. */
bool vector_place_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern);

/* Likewise, with numbers: every k-th element, elements 3 to 5 of each block. */
bool vector_range_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern);

#endif
