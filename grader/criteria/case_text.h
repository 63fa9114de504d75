/* case_text.h: shapes, elements and numbers in words, for messages.
 *
 * What is hidden stays hidden: the shape of a hidden case is "a hidden shape", and marked as hidden
 * for an instructor.
 */
#ifndef GPUGRADE_CRITERIA_CASE_TEXT_H
#define GPUGRADE_CRITERIA_CASE_TEXT_H

#include "criteria/criteria_input.h"

/* True if the observation belongs to a case that must not be shown: a hidden one, unless the rubric
 * is a view for an instructor. */
bool observation_is_hidden(const struct criteria_input *input,
                           const struct observation *observation);

/* "A 32x48, B 48x16": the input operands of a launch in one case, rows first; where all operands
 * are vectors, none is an input, or the rubric names columns before rows, the parameters, "width
 * 40, height 52, steps 4"; of a call those that no shape names as well, "X 13x13, steps 260". */
const char *shape_text(const struct criteria_input *input, struct arena *arena,
                       const struct rubric_launch *launch, const struct observation *observation);

/* One extent of an operand in one case; 0 if it has no value there. */
size_t operand_extent(const struct criteria_input *input, const struct expression *shape,
                      const struct observation *observation);

/* "C(3,5)": row and column; "C[5]" for operands of one dimension or of unknown extents; "C[5].y" of
 * vectors. */
const char *element_text(const struct criteria_input *input, struct arena *arena,
                         const struct rubric_operand *operand,
                         const struct observation *observation, size_t index);

/* A value with all digits of its type: "12.5", "NaN", "infinity". */
const char *value_text(struct arena *arena, enum element_type type, double value);

/* The same; of i64 and u64 the integer counts. */
const char *number_text(struct arena *arena, enum element_type type, double value, int64_t integer);

#endif
