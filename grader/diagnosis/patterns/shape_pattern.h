/* shape_pattern.h: for which shapes a result is right, in words: "where a_width is one tile".
 *
 * A property is named only if it separates right and wrong shapes exactly, and no other property
 * of the same class does.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_SHAPE_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_SHAPE_PATTERN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct judged_shape {
    const int64_t *parameters; /* [parameter_count], in elements */
    int64_t block;             /* the block width; 0: unknown */
    bool is_wrong;
};

struct judged_shapes {
    const struct judged_shape *shapes; /* [count] */
    size_t count;
    const char *const *parameter_names; /* [parameter_count] */
    size_t parameter_count;
    bool is_vector; /* sizes need not be multiples of the block, and there are no tiles */
};

struct shape_pattern {
    const char *where;   /* "a_width is one tile"; NULL: no property separates them */
    bool is_wrong_side;  /* results are wrong exactly there, right elsewhere; else the reverse */
    size_t right, wrong; /* the pair of a right and a wrong shape that differ least */
};

/* Compares right and wrong shapes; false if there are not both kinds. */
bool shape_pattern_find(struct arena *arena, const struct judged_shapes *shapes,
                        struct shape_pattern *out_pattern);

#endif
