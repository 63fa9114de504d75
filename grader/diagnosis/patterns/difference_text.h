/* difference_text.h: one wrong element in words: "got 13.000001 instead of 13 in C(0,3):
 * 9.53674e-07 too large, 7.34e-06 %, 1 ulp".
 *
 * A relative error is the absolute one over the expected value, and one ulp the distance of the
 * floating-point numbers around it. Neither means anything where 0 is expected, or for NaN; ulp are
 * told while the error may be one of rounding, and left out where it is a thousand times as large.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_DIFFERENCE_TEXT_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_DIFFERENCE_TEXT_H

#include "base/arena.h"
#include "model/element_map.h"
#include "model/rubric.h"

struct wrong_element {
    const char *name; /* "C(0,3)" */
    enum element_type type;
    enum element_state state;
    double expected, got;
};

const char *difference_text(struct arena *arena, const struct wrong_element *element);

#endif
