/* oracle.c: how often each value comes. */
#include "model/oracle.h"

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const uint8_t *in = problem->inputs[0];

    (void)out_magnitudes;
    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        out_expected[in[i]]++;
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
