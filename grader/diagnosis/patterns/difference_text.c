/* difference_text.c: see difference_text.h. */
#include "diagnosis/patterns/difference_text.h"

#include "criteria/case_text.h"

#include <float.h>
#include <math.h>

enum {
    FLOAT_DIGITS = 24, /* of the significand, the hidden one included */
    DOUBLE_DIGITS = 53,
    ULPS_TOLD_MAX = 1000, /* more is no matter of rounding */
};

/* The distance of the numbers of a type around a value; 0 for integers. */
static double ulp_of(enum element_type type, double value)
{
    int exponent = 0;
    bool is_float = type == ELEMENT_F32;

    if (type != ELEMENT_F32 && type != ELEMENT_F64) {
        return 0.0;
    }
    frexp(is_float ? (double)(float)value : value, &exponent);
    double unit = ldexp(1.0, exponent - (is_float ? FLOAT_DIGITS : DOUBLE_DIGITS));
    double least = is_float ? 0x1p-149 : 0x1p-1074;
    return unit > least ? unit : least;
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

static bool is_whole_type(enum element_type type)
{
    return type == ELEMENT_I32 || type == ELEMENT_U32;
}

const char *difference_text(struct arena *arena, const struct wrong_element *element)
{
    const char *expected = value_text(arena, element->type, element->expected);
    const char *got = value_text(arena, element->type, element->got);
    double error = fabs(element->got - element->expected);
    double ulp = ulp_of(element->type, element->expected);

    if (element->state == ELEMENT_UNWRITTEN) {
        return arena_printf(arena, "nothing is written to %s, expected %s", element->name,
                            expected);
    }
    if (!isfinite(error) || element->expected == 0.0) {
        return arena_printf(arena, "got %s instead of %s in %s", got, expected, element->name);
    }
    const char *distance = is_whole_type(element->type) ? arena_printf(arena, "%.0f", error)
                                                        : arena_printf(arena, "%.6g", error);
    return arena_printf(arena, "got %s instead of %s in %s: %s too %s, %.3g %%%s", got, expected,
                        element->name, distance,
                        element->got < element->expected ? "small" : "large",
                        100.0 * error / fabs(element->expected), ulps_text(arena, error, ulp));
}
