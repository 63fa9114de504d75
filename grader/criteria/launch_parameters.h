/* launch_parameters.h: which parameters of the rubric a launch depends on.
 *
 * A rubric may have several launches and parameters that matter to some of them only. A
 * sentence about the sizes of a launch names no others.
 */
#ifndef GPUGRADE_CRITERIA_LAUNCH_PARAMETERS_H
#define GPUGRADE_CRITERIA_LAUNCH_PARAMETERS_H

#include "model/rubric.h"

struct launch_parameters {
    size_t indices[RUBRIC_PARAMETERS_MAX]; /* [count], ascending */
    size_t count;
};

/* The parameters that its shapes, scalars, input, block width or its program's macros name. */
struct launch_parameters launch_parameters_of(const struct rubric *rubric,
                                              const struct rubric_launch *launch);

/* Those that a judged call depends on and that no shape names: how many steps there are. */
struct launch_parameters launch_parameters_beside_shapes(const struct rubric *rubric,
                                                         const struct rubric_launch *launch);

/* True if all inputs and outputs have one dimension: there are no rows, columns and tiles. */
bool launch_is_of_vectors(const struct rubric_launch *launch);

/* True if two or more inputs are matrices, which are combined like the factors of a product. */
bool launch_is_product(const struct rubric_launch *launch);

#endif
