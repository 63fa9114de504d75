/* oracle.c: the sum of a list. */
#include "model/oracle.h"

#include <math.h>

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float *list = problem->inputs[0];

    out_expected[0] = out_magnitudes[0] = 0.0;
    for (int64_t i = 0; i < problem->parameters[0]; i++) {
        out_expected[0] += list[i];
        out_magnitudes[0] += fabs(list[i]);
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
