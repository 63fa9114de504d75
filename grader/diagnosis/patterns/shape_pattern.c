/* shape_pattern.c: see shape_pattern.h.
 *
 * Properties come in classes, the plainest first: a single tile, one parameter is one tile, two are
 * equal, one is less than another, the number of tiles along one is odd; for vectors a single
 * block, and a multiple of the block. Each is asked what the right shapes have in common, then what
 * the wrong ones have: results that are right by chance need the plainest shapes. The first class
 * with an answer gives it; if it has several, nothing can be said. Of the last two classes some
 * property fits a few shapes by chance, so they need two shapes on either side. Tiles are counted
 * only where all shapes consist of whole ones.
 */
#include "diagnosis/patterns/shape_pattern.h"

enum property_class {
    CLASS_SINGLE_TILE,
    CLASS_ONE_TILE,
    CLASS_MULTIPLE,
    CLASS_EQUAL,
    CLASS_LESS,
    CLASS_ODD,
    CLASSES
};

/* One property; `second` is used by classes that compare two parameters. */
struct property {
    enum property_class class;
    size_t first, second;
};

static bool is_single_tile(const struct judged_shapes *shapes, const struct judged_shape *shape)
{
    for (size_t i = 0; i < shapes->parameter_count; i++) {
        if (shapes->is_vector ? shape->parameters[i] > shape->block
                              : shape->parameters[i] != shape->block) {
            return false;
        }
    }
    return shape->block > 0;
}

static bool has_property(const struct judged_shapes *shapes, const struct judged_shape *shape,
                         const struct property *property)
{
    int64_t first = shape->parameters[property->first];
    int64_t second = shape->parameters[property->second];

    switch (property->class) {
    case CLASS_SINGLE_TILE:
        return is_single_tile(shapes, shape);
    case CLASS_ONE_TILE:
        return first == shape->block;
    case CLASS_MULTIPLE:
        return shape->block > 0 && first % shape->block == 0;
    case CLASS_EQUAL:
        return first == second;
    case CLASS_LESS:
        return first < second;
    case CLASS_ODD:
        return first / shape->block % 2 != 0;
    case CLASSES:
        break;
    }
    return false;
}

static bool are_whole_tiles(const struct judged_shapes *shapes, size_t parameter)
{
    size_t i = 0;

    while (i < shapes->count && shapes->shapes[i].block > 0 &&
           shapes->shapes[i].parameters[parameter] % shapes->shapes[i].block == 0) {
        i++;
    }
    return i == shapes->count;
}

static bool is_enough_for(const struct judged_shapes *shapes, enum property_class class)
{
    size_t wrong = 0;

    for (size_t i = 0; i < shapes->count; i++) {
        wrong += shapes->shapes[i].is_wrong ? 1 : 0;
    }
    return class < CLASS_LESS || (wrong > 1 && shapes->count - wrong > 1);
}

/* True if the shapes with the property are exactly the right ones, or exactly the wrong ones. */
static bool decides(const struct judged_shapes *shapes, const struct property *property,
                    bool *out_is_wrong_side)
{
    bool wrong_side = false;

    for (size_t i = 0; i < shapes->count; i++) {
        bool here =
            has_property(shapes, &shapes->shapes[i], property) == shapes->shapes[i].is_wrong;
        if (i > 0 && here != wrong_side) {
            return false;
        }
        wrong_side = here;
    }
    *out_is_wrong_side = wrong_side;
    return true;
}

static const char *property_text(struct arena *arena, const struct judged_shapes *shapes,
                                 const struct property *property)
{
    const char *first = shapes->parameter_names[property->first];
    const char *second = shapes->parameter_names[property->second];

    switch (property->class) {
    case CLASS_SINGLE_TILE:
        return shapes->is_vector ? "there is a single block" : "there is a single tile";
    case CLASS_ONE_TILE:
        return arena_printf(arena, "%s is one tile", first);
    case CLASS_MULTIPLE:
        return arena_printf(arena, "%s is a multiple of the block size", first);
    case CLASS_EQUAL:
        return arena_printf(arena, "%s equals %s", first, second);
    case CLASS_LESS:
        return arena_printf(arena, "%s is less than %s", first, second);
    case CLASS_ODD:
        return arena_printf(arena, "%s is an odd number of tiles", first);
    case CLASSES:
        break;
    }
    return NULL;
}

/* True if a class has such a property: a pair once, and no parameter with itself. */
static bool is_in_class(const struct judged_shapes *shapes, const struct property *property)
{
    switch (property->class) {
    case CLASS_SINGLE_TILE:
        return property->first == 0 && property->second == 0;
    case CLASS_ONE_TILE:
        return property->first == property->second && !shapes->is_vector;
    case CLASS_ODD:
        return property->first == property->second && !shapes->is_vector &&
               are_whole_tiles(shapes, property->first);
    case CLASS_MULTIPLE:
        return property->first == property->second && shapes->is_vector;
    case CLASS_EQUAL:
        return property->first < property->second;
    case CLASS_LESS:
        return property->first != property->second;
    case CLASSES:
        break;
    }
    return false;
}

/* How many properties of a class hold exactly for the right shapes, or for the wrong ones; the
 * first of them goes into the pattern. */
static size_t ask_class(struct arena *arena, const struct judged_shapes *shapes,
                        enum property_class class, bool wrong_side, struct shape_pattern *pattern)
{
    size_t deciding = 0;
    bool side = false;

    for (size_t i = 0; i < shapes->parameter_count; i++) {
        for (size_t j = 0; j < shapes->parameter_count; j++) {
            const struct property property = {class, i, j};
            if (!is_in_class(shapes, &property) || !is_enough_for(shapes, class) ||
                !decides(shapes, &property, &side) || side != wrong_side) {
                continue;
            }
            if (deciding++ == 0) {
                pattern->where = property_text(arena, shapes, &property);
                pattern->is_wrong_side = wrong_side;
            }
        }
    }
    return deciding;
}

/* In how many parameters two shapes differ. */
static size_t differences(const struct judged_shapes *shapes, size_t left, size_t right)
{
    size_t count = 0;

    for (size_t i = 0; i < shapes->parameter_count; i++) {
        count += shapes->shapes[left].parameters[i] != shapes->shapes[right].parameters[i] ? 1 : 0;
    }
    return count;
}

static double size_of(const struct judged_shapes *shapes, size_t shape)
{
    double size = 1.0;

    for (size_t i = 0; i < shapes->parameter_count; i++) {
        size *= (double)shapes->shapes[shape].parameters[i];
    }
    return size;
}

/* The right and the wrong shape that differ least; among equals the smallest. False if there is no
 * pair. */
static bool find_pair(const struct judged_shapes *shapes, struct shape_pattern *pattern)
{
    size_t fewest = SIZE_MAX;
    double smallest = 0.0;

    for (size_t i = 0; i < shapes->count; i++) {
        for (size_t j = 0; j < shapes->count; j++) {
            if (shapes->shapes[i].is_wrong || !shapes->shapes[j].is_wrong) {
                continue;
            }
            size_t count = differences(shapes, i, j);
            double size = size_of(shapes, i) + size_of(shapes, j);
            if (count < fewest || (count == fewest && size < smallest)) {
                fewest = count;
                smallest = size;
                pattern->right = i;
                pattern->wrong = j;
            }
        }
    }
    return fewest != SIZE_MAX;
}

bool shape_pattern_find(struct arena *arena, const struct judged_shapes *shapes,
                        struct shape_pattern *out_pattern)
{
    struct shape_pattern pattern = {0};
    size_t deciding = 0;

    if (!find_pair(shapes, &pattern)) {
        return false;
    }
    for (enum property_class class = CLASS_SINGLE_TILE; class < CLASSES && deciding == 0;
         class ++) {
        deciding = ask_class(arena, shapes, class, false, &pattern);
        if (deciding == 0) {
            deciding = ask_class(arena, shapes, class, true, &pattern);
        }
    }
    if (deciding != 1) {
        pattern.where = NULL;
    }
    *out_pattern = pattern;
    return true;
}
