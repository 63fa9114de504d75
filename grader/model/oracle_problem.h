/* oracle_problem.h: what an oracle is asked, made from a case of a launch. */
#ifndef GPUGRADE_MODEL_ORACLE_PROBLEM_H
#define GPUGRADE_MODEL_ORACLE_PROBLEM_H

#include "model/observation.h"
#include "model/oracle.h"

/* A problem, and the arrays that it points to. It must not be moved. */
struct posed_problem {
    struct oracle_problem oracle;
    const void *inputs[RUBRIC_OPERANDS_MAX];
    size_t input_counts[RUBRIC_OPERANDS_MAX];
    size_t output_counts[RUBRIC_OPERANDS_MAX];
    double scalars[RUBRIC_OPERANDS_MAX];
    size_t input_total, output_total;
};

/* Poses the problem of a case. `values` [operand_count] are the operands before the launch; only
 * those of inputs are looked at. The observation's parameters, block and element counts are set. A
 * scalar without a value is NaN. */
void problem_pose(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, const void *const *values,
                  struct posed_problem *out_problem);

#endif
