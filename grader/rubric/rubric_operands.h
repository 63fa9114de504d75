/* rubric_operands.h: the arrays and numbers of a launch. Private to rubric/.
 *
 * Shapes, values, counts and scalars are tried with real numbers, at all points of
 * rubric_points.h.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_OPERANDS_H
#define GPUGRADE_RUBRIC_RUBRIC_OPERANDS_H

#include "rubric/rubric_reader.h"

/* Reads the lists `operands` and `scalars` of a launch whose program, block, blocks and first shape
 * are known. */
void read_operands(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch);
void read_scalars(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch);

/* Reads which values an input holds, untried; NULL: any. */
struct value_domain read_domain(struct rubric_reader *reader, const cJSON *value);

/* Tries what the cases say of the operands of all launches. `cases` is the section. */
void check_case_values(struct rubric_reader *reader, const cJSON *cases);

#endif
