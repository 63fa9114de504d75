/* rubric_points.h: every point at which a session may evaluate a launch's expressions. Private to
 * rubric/.
 *
 * A point is one number for each parameter, in elements, and a block width:
 *   - the first shape;
 *   - for every case the smallest values, and the largest, and both with each value of each choice
 *     ("one_of") in its place;
 *   - each of these with every block width of `blocks`, or, if the launch has a `block`, with the
 *     block width that it gives, for each value of the parameter that it names.
 *
 * So a rubric with a shape that is a fraction, or too large for the device, is refused before any
 * student's program runs.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_POINTS_H
#define GPUGRADE_RUBRIC_RUBRIC_POINTS_H

#include "model/case.h"
#include "rubric/rubric_reader.h"

/* How many values a choice may have; also the parameter that a launch's `block` names. */
enum { RUBRIC_CHOICES_MAX = 16 };

/* A block has at most this many threads. */
enum { RUBRIC_EDGE_MAX = 1024 };

/* What the value of an expression must be. */
struct expectation {
    const char *what; /* "the shape" */
    double minimum, maximum;
    bool is_real; /* otherwise a whole number */
};

/* Looks at one point; the scope has the parameters and the block. */
typedef void (*point_visit)(struct rubric_reader *reader, const struct case_scope *scope,
                            void *context);

/* Visits all points of a launch whose program, block, blocks and first shape are known, until there
 * is a mistake. Units that are not whole numbers are a mistake at `value`. */
void visit_points(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, point_visit visit, void *context);

/* Evaluates an expression at all points of a launch; a wrong result is a mistake at `value`. */
void check_values(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, const struct expression *expression,
                  const struct expectation *expectation);

/* Checks a launch's `block`, which is at `value`: it may name at most one parameter, without a
 * unit, and must give a block width of `blocks` in every case and for the first shape. If there is
 * no `blocks`, the widths that it gives become `blocks`. */
void check_block(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch);

#endif
