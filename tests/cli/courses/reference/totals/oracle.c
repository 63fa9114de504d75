#include "model/oracle.h"

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int32_t *in = problem->inputs[0];
    int32_t sum = 0;

    for (size_t i = 0; i < problem->output_count; i++) {
        sum = (int32_t)((uint32_t)sum + (uint32_t)in[i]);
        out_expected[i] = sum;
        out_magnitudes[i] = 0;
    }
}

const struct oracle gpugrade_oracle = {.abi_version = 3, .expect = expect};
