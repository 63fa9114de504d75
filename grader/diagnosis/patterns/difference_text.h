/* difference_text.h: one wrong element in words: "got 13.000001 instead of 13 in C(0,3):
 * 9.53674e-07 too large, 7.34e-06 %, 1 ulp".
 *
 * The relative error is the absolute error divided by the expected value; one ulp is the distance
 * between the floating-point numbers around it. Neither means anything if 0 is expected, or for
 * NaN. The error is given in ulp only up to 1000 ulp: a larger one is not a matter of rounding.
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
    int64_t expected_integer, got_integer; /* of i64 and u64 */
};

const char *difference_text(struct arena *arena, const struct wrong_element *element);

#endif
