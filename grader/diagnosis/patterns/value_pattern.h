/* value_pattern.h: how wrong values relate to the right ones: "every element is 0", "every element
 * is 2 times the expected value", "all values are 1 row too far up".
 *
 * Used on the exact probes, where every right kernel computes the same whole numbers. A pattern is
 * named only if it holds for every element of every output that is given.
 */
#ifndef GPUGRADE_DIAGNOSIS_PATTERNS_VALUE_PATTERN_H
#define GPUGRADE_DIAGNOSIS_PATTERNS_VALUE_PATTERN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One wrong output, row-major. */
struct wrong_output {
    const double *expected, *got; /* [rows * columns]; NaN in `got`: not written, or NaN */
    size_t rows, columns;
    size_t number; /* of its case: outputs of one case follow each other, with different inputs */
    const int64_t *parameters; /* [parameter_count], in elements */
    int64_t block;             /* the block width; 0: unknown */
};

struct wrong_outputs {
    const struct wrong_output *outputs; /* [count] */
    size_t count;
    const char *const *parameter_names; /* [parameter_count] */
    size_t parameter_count;
    bool is_product; /* elements are sums of products of two inputs' */
    bool is_vector;  /* outputs have one dimension: one row */
};

struct value_pattern {
    const char *clause; /* "every element is 0" */
    const char *hint;   /* where to look; "" if there is nothing to add */
    bool is_of_wrong;   /* it is about the wrong elements only, and there are right ones */
};

/* Names what holds for all of them; false if nothing does. */
bool value_pattern_find(struct arena *arena, const struct wrong_outputs *outputs,
                        struct value_pattern *out_pattern);

#endif
