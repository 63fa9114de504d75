/* difference_text.c: see difference_text.h. */
#include "diagnosis/patterns/difference_text.h"

#include "criteria/case_text.h"

#include <math.h>

enum { ULPS_TOLD_MAX = 1000 }; /* more is no matter of rounding */

/* ", 3 ulp"; "" for a type without any, and for more of them than say anything. */
static const char *ulps_text(struct arena *arena, double error, double ulp)
{
    double ulps = ulp > 0.0 ? error / ulp : 0.0;

    if (!(ulp > 0.0) || ulps > ULPS_TOLD_MAX) {
        return "";
    }
    return ulps == rint(ulps) ? arena_printf(arena, ", %.0f ulp", ulps)
                              : arena_printf(arena, ", %.1f ulp", ulps);
}

const char *difference_text(struct arena *arena, const struct wrong_element *element)
{
    const char *expected = value_text(arena, element->type, element->expected);
    const char *got = value_text(arena, element->type, element->got);
    double error = fabs(element->got - element->expected);
    double ulp = element_ulp(element->type, element_rounded(element->type, element->expected));

    if (element->state == ELEMENT_UNWRITTEN) {
        return arena_printf(arena, "nothing is written to %s, expected %s", element->name,
                            expected);
    }
    if (!isfinite(error) || element->expected == 0.0) {
        return arena_printf(arena, "got %s instead of %s in %s", got, expected, element->name);
    }
    const char *distance =
        arena_printf(arena, element_is_float(element->type) ? "%.6g" : "%.0f", error);
    return arena_printf(arena, "got %s instead of %s in %s: %s too %s, %.3g %%%s", got, expected,
                        element->name, distance,
                        element->got < element->expected ? "small" : "large",
                        100.0 * error / fabs(element->expected), ulps_text(arena, error, ulp));
}
