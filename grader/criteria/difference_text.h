/* difference_text.h: one wrong element in words: "got 12 instead of 13 in C(0,3): 1 too small,
 * 7.69 %, 1048576 ulp".
 *
 * A relative error is the absolute one over the expected value, and one ulp the distance of the
 * floating-point numbers around it. Neither means anything where 0 is expected, or for NaN.
 */
#ifndef GPUGRADE_CRITERIA_DIFFERENCE_TEXT_H
#define GPUGRADE_CRITERIA_DIFFERENCE_TEXT_H

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
