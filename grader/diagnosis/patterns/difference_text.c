/* difference_text.c: see difference_text.h. */
#include "diagnosis/patterns/difference_text.h"

#include "criteria/case_text.h"

#include <math.h>

enum { ULPS_TOLD_MAX = 1000 }; /* more is no matter of rounding */

static bool is_too_small(const struct wrong_element *element)
{
    switch (element->type) {
    case ELEMENT_I64:
        return element->got_integer < element->expected_integer;
    case ELEMENT_U64:
        return (uint64_t)element->got_integer < (uint64_t)element->expected_integer;
    default:
        return element->got < element->expected;
    }
}

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

static double error_of(const struct wrong_element *element)
{
    if (!element_is_wide(element->type)) {
        return fabs(element->got - element->expected);
    }
    const bool is_small = is_too_small(element);
    const uint64_t low = (uint64_t)(is_small ? element->got_integer : element->expected_integer);
    const uint64_t high = (uint64_t)(is_small ? element->expected_integer : element->got_integer);
    return (double)(high - low);
}

const char *difference_text(struct arena *arena, const struct wrong_element *element)
{
    const char *expected =
        number_text(arena, element->type, element->expected, element->expected_integer);
    const char *got = number_text(arena, element->type, element->got, element->got_integer);
    double error = error_of(element);
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
                        element->name, distance, is_too_small(element) ? "small" : "large",
                        100.0 * error / fabs(element->expected), ulps_text(arena, error, ulp));
}
