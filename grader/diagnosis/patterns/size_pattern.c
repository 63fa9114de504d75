/* size_pattern.c: see size_pattern.h.
 *
 * A bound comes first, then what is a power of two or a multiple of one. Of several parameters one
 * may separate few shapes by chance, and few sizes have a common divisor by chance; then nothing is
 * said.
 */
#include "diagnosis/patterns/size_pattern.h"

#include <inttypes.h>

/* Less than 1 in so many random sets of shapes may fit. */
static const double ODDS_MIN = 64.0;

/* Fewer powers of two may be small sizes, and nothing else. */
enum { POWERS_MIN = 3 };

/* One parameter in the right or in the wrong shapes. */
struct side {
    size_t count, distinct; /* shapes, and different values */
    int64_t least, most;
    int64_t bits; /* of all values together: the lowest is the power of two that divides them */
    bool are_powers, has_one;
};

/* True if no shape before this one has the same value on the same side. */
static bool is_new(const struct judged_shapes *shapes, size_t parameter, size_t index)
{
    const struct judged_shape *shape = &shapes->shapes[index];
    size_t i = 0;

    while (i < index && (shapes->shapes[i].is_wrong != shape->is_wrong ||
                         shapes->shapes[i].parameters[parameter] != shape->parameters[parameter])) {
        i++;
    }
    return i == index;
}

static bool is_power(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

static struct side side_of(const struct judged_shapes *shapes, size_t parameter, bool is_wrong)
{
    struct side side = {.least = INT64_MAX, .are_powers = true};

    for (size_t i = 0; i < shapes->count; i++) {
        const int64_t value = shapes->shapes[i].parameters[parameter];
        if (shapes->shapes[i].is_wrong != is_wrong) {
            continue;
        }
        side.count++;
        side.distinct += is_new(shapes, parameter, i) ? 1 : 0;
        side.least = value < side.least ? value : side.least;
        side.most = value > side.most ? value : side.most;
        side.bits |= value;
        side.are_powers = side.are_powers && is_power(value);
        side.has_one = side.has_one || value == 1;
    }
    return side;
}

static const char *shapes_text(struct arena *arena, size_t count)
{
    return arena_printf(arena, "%zu shape%s", count, count == 1 ? "" : "s");
}

/* "right for n up to 5000 (10 shapes), wrong from 77734 on (3 shapes)", or the reverse. */
static const char *bound_text(struct arena *arena, const char *name, const struct side *right,
                              const struct side *wrong)
{
    const bool is_small = right->most < wrong->least;
    const struct side *small = is_small ? right : wrong;
    const struct side *large = is_small ? wrong : right;

    if (small->most >= large->least) {
        return NULL;
    }
    return arena_printf(arena, "%s for %s up to %" PRId64 " (%s), %s from %" PRId64 " on (%s)",
                        is_small ? "right" : "wrong", name, small->most,
                        shapes_text(arena, small->count), is_small ? "wrong" : "right",
                        large->least, shapes_text(arena, large->count));
}

/* True if no value of the shapes on one side has the property, a power of two above `above` or a
 * multiple of `multiple`. */
static bool none_has(const struct judged_shapes *shapes, size_t parameter, bool is_wrong,
                     int64_t above, int64_t multiple)
{
    for (size_t i = 0; i < shapes->count; i++) {
        const int64_t value = shapes->shapes[i].parameters[parameter];
        const bool has = multiple > 0 ? value % multiple == 0 : is_power(value) && value > above;
        if (shapes->shapes[i].is_wrong == is_wrong && has) {
            return false;
        }
    }
    return true;
}

/* True if the sizes on both sides may be divided like this by chance. */
static bool is_divided_by_chance(int64_t multiple, const struct side *with,
                                 const struct side *without)
{
    double odds = 1.0;

    for (size_t i = 0; i < with->distinct && odds < ODDS_MIN; i++) {
        odds *= (double)multiple;
    }
    for (size_t i = 0; i < without->distinct && odds < ODDS_MIN; i++) {
        odds *= (double)multiple / (double)(multiple - 1);
    }
    return odds < ODDS_MIN;
}

/* True if one of several parameters may have its small values on one side by chance. */
static bool is_bound_by_chance(size_t parameters, const struct side *right,
                               const struct side *wrong)
{
    double orders = 1.0; /* of right and wrong shapes */

    for (size_t i = 1; i <= wrong->distinct; i++) {
        orders *= (double)(right->distinct + i) / (double)i;
    }
    return parameters > 1 && orders < ODDS_MIN * (double)parameters;
}

/* What all shapes of one side have in common and none of the other; NULL: nothing. */
static const char *property_text(struct arena *arena, const struct judged_shapes *shapes,
                                 size_t parameter, bool with_wrong)
{
    const struct side with = side_of(shapes, parameter, with_wrong);
    const struct side without = side_of(shapes, parameter, !with_wrong);
    const int64_t above = with.has_one ? 0 : 1;
    const int64_t multiple = with.bits & -with.bits;
    const char *property = NULL;

    if (with.distinct < 2 || without.distinct < 2) {
        return NULL;
    }
    if (with.are_powers && with.distinct >= POWERS_MIN &&
        none_has(shapes, parameter, !with_wrong, above, 0)) {
        property = without.has_one ? "a power of two above 1" : "a power of two";
    } else if (multiple > 1 && !is_divided_by_chance(multiple, &with, &without) &&
               none_has(shapes, parameter, !with_wrong, 0, multiple)) {
        property = multiple == 2 ? "even" : arena_printf(arena, "a multiple of %" PRId64, multiple);
    }
    if (property == NULL) {
        return NULL;
    }
    return arena_printf(arena, "%s where %s is %s (%s), %s elsewhere (%s)",
                        with_wrong ? "wrong" : "right", shapes->parameter_names[parameter],
                        property, shapes_text(arena, with.count), with_wrong ? "right" : "wrong",
                        shapes_text(arena, without.count));
}

static const char *parameter_text(struct arena *arena, const struct judged_shapes *shapes,
                                  size_t parameter, bool is_bound)
{
    const struct side right = side_of(shapes, parameter, false);
    const struct side wrong = side_of(shapes, parameter, true);

    if (right.count == 0 || wrong.count == 0) {
        return NULL;
    }
    if (is_bound) {
        return is_bound_by_chance(shapes->parameter_count, &right, &wrong)
                   ? NULL
                   : bound_text(arena, shapes->parameter_names[parameter], &right, &wrong);
    }
    const char *text = property_text(arena, shapes, parameter, false);
    return text != NULL ? text : property_text(arena, shapes, parameter, true);
}

const char *size_pattern_find(struct arena *arena, const struct judged_shapes *shapes)
{
    for (int is_bound = 1; is_bound >= 0; is_bound--) {
        const char *only = NULL;
        size_t found = 0;
        for (size_t i = 0; i < shapes->parameter_count; i++) {
            const char *text = parameter_text(arena, shapes, i, is_bound != 0);
            found += text != NULL ? 1 : 0;
            only = text != NULL ? text : only;
        }
        if (found > 0) {
            return found == 1 ? only : NULL;
        }
    }
    return NULL;
}
