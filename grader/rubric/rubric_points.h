/* rubric_points.h: every point at which a session may evaluate a launch's expressions. Private to
 * rubric/.
 *
 * A point is one number for each parameter, in elements, and a block width:
 *   - the first shape;
 *   - of every case the smallest values, and the largest, and both with each value of each choice
 *     ("one_of") in its place;
 *   - each of these with every block width of `blocks`, or, if the launch has a `block`, with the
 *   block width
 * that it gives, for each value of the parameter that it names. So a rubric whose shape would be a
 * fraction, or too large for the device, is refused before any student's program runs.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_POINTS_H
#define GPUGRADE_RUBRIC_RUBRIC_POINTS_H

#include "model/case.h"
#include "rubric/rubric_reader.h"

/* Values that a choice may have, and the parameter that a launch's `block` names. */
enum { RUBRIC_CHOICES_MAX = 16 };

/* A block has no more threads than that. */
enum { RUBRIC_EDGE_MAX = 1024 };

/* How an expression must come out. */
struct expectation {
    const char *what; /* "the shape" */
    double minimum, maximum;
    bool is_real; /* else a whole number */
};

/* Looks at one point; the scope has the parameters and the block. */
typedef void (*point_visit)(struct rubric_reader *reader, const struct case_scope *scope,
                            void *context);

/* Visits all points of a launch whose program, block, blocks and first shape are known, until there
 * is a mistake. Units that are no whole numbers are a mistake at `value`. */
void visit_points(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, point_visit visit, void *context);

/* Tries an expression at all points of a launch; what comes out wrong is a mistake at `value`. */
void check_values(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, const struct expression *expression,
                  const struct expectation *expectation);

/* Tries a launch's `block`, which stands at `value`: it names at most one parameter, which has no
 * unit, and gives a block width of `blocks` in every case and for the first shape. Where there is
 * no `blocks`, what it gives becomes it. */
void check_block(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch);

#endif
