/* size_pattern.h: for which sizes a result is right, with counts: "right for n up to 5000 (10
 * shapes), wrong from 77734 on (3 shapes)".
 *
 * Said only if it separates right and wrong shapes exactly, and no other parameter does.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_SIZE_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_SIZE_PATTERN_H

#include "diagnosis/patterns/shape_pattern.h"

/* NULL: no size separates them, or there are not both kinds. */
const char *size_pattern_find(struct arena *arena, const struct judged_shapes *shapes);

#endif
