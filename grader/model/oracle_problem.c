/* oracle_problem.c: see oracle_problem.h. */
#include "model/oracle_problem.h"

#include "model/case.h"

#include <math.h>
#include <string.h>

void problem_pose(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, const void *const *values,
                  struct posed_problem *out_problem)
{
    struct posed_problem *made = out_problem;
    struct case_scope scope = {
        .rubric = rubric, .parameters = observation->parameters, .block = observation->block};

    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_has_values(&launch->operands[i])) {
            made->input_counts[made->input_total] = observation->element_counts[i];
            made->inputs[made->input_total++] = values[i];
        }
        if (operand_is_result(&launch->operands[i])) {
            made->output_counts[made->output_total++] = observation->element_counts[i];
        }
    }
    for (size_t i = 0; i < launch->scalar_count; i++) {
        double value = NAN;
        bool is_known =
            expression_evaluate(launch->scalars[i].value, case_lookup, &scope, &value, NULL);
        made->scalars[i] = is_known ? element_rounded(launch->scalars[i].type, value) : NAN;
    }
    made->oracle = (struct oracle_problem){
        .parameters = observation->parameters,
        .block = observation->block,
        .inputs = made->inputs,
        .output_count = made->output_counts[0],
        .launch = launch->id,
        .input_counts = made->input_counts,
        .output_counts = made->output_counts,
        .scalars = made->scalars,
        .case_id = observation->case_index < rubric->case_count
                       ? rubric->cases[observation->case_index].id
                       : "",
        .in_order = rubric->arithmetic == ARITHMETIC_NO_FMAD,
    };
}
