/* moved_pattern.h: values of a vector that are all right, but in the places of others: "element i
 * holds what belongs to element i + s".
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_MOVED_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_MOVED_PATTERN_H

#include "criteria/results/wrong_result.h"
#include "diagnosis/patterns/value_pattern.h"

/* How far all values of one vector are moved: element i holds what belongs to element i + the
 * distance, for all i that have one, or to element i - the distance. Linear. */
struct move_distance {
    size_t distance; /* the number of elements where none fits */
    size_t changes;  /* how often neighbours differ among the values that were compared */
};

struct move_distance moved_distance(struct arena *arena, const struct wrong_output *output,
                                    bool is_early);

/* By how many elements the copy of a result moves it: its last copy begins so far into the memory
 * that it reads, and the values of the case that is shown are moved by exactly that. 0: by none. */
size_t moved_by_copy(const struct wrong_result *result);

/* Names a distance that differs from case to case. False if a case does not fit, or if too few
 * values show it. */
bool moved_pattern_find(struct arena *arena, const struct wrong_outputs *outputs,
                        struct value_pattern *out_pattern);

#endif
