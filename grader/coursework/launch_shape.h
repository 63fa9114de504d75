/* launch_shape.h: computes how large the operands of a launch are in a case. */
#ifndef GPUGRADE_COURSEWORK_LAUNCH_SHAPE_H
#define GPUGRADE_COURSEWORK_LAUNCH_SHAPE_H

#include "model/case.h"
#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct launch_shape {
    int64_t block;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];  /* in elements */
    size_t element_counts[RUBRIC_OPERANDS_MAX]; /* of numbers, per operand */
    uint64_t bytes;                             /* of all operands */
};

/* The block widths that a launch may have in a case: the one that the rubric prescribes, or those
 * that it allows, or 0 if it has none. Fills out_blocks with at most `capacity` of them; returns
 * how many, 0 if the prescribed one has no value. */
size_t launch_blocks(const struct rubric *rubric, const struct rubric_launch *launch,
                     const struct drawn_case *drawn, int64_t *out_blocks, size_t capacity);

/* Computes a shape; false if a size has no value, is not a whole number of at least 1, or is too
 * large. */
bool launch_shape_find(const struct rubric *rubric, const struct rubric_launch *launch,
                       const struct drawn_case *drawn, int64_t block,
                       struct launch_shape *out_shape);

/* The same for given parameters, in elements. */
bool launch_shape_of(const struct rubric *rubric, const struct rubric_launch *launch,
                     const int64_t *parameters, int64_t block, struct launch_shape *out_shape);

#endif
