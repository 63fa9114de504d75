/* oracle.c: what the result must be. gpugrade builds it as a shared object and calls it for each case
 * (model/oracle.h says what it can do besides: named mistakes, inputs of its own, a check). */
#include "model/oracle.h"

#include <math.h>

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float *in = problem->inputs[0];

    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        out_expected[0] += in[i];
        out_magnitudes[0] += fabsf(in[i]);
    }
}

/* The sum is made of all elements. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const size_t n = problem->input_counts[0];

    (void)element;
    for (size_t i = 0; i < n && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return n;
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .needs = needs,
};
