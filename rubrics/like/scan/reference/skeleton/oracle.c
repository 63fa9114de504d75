/* oracle.c: what the result must be. gpugrade builds it as a shared object and calls it for each case
 * (model/oracle.h says what it can do besides: named mistakes, inputs of its own, a check). */
#include "model/oracle.h"

#include <math.h>

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int32_t *in = problem->inputs[0];
    double sum = 0.0;

    (void)out_magnitudes; /* whole numbers have no rounding errors */
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = sum;
        sum += in[i];
    }
}

/* Element i is made of those before it. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t i = 0; i < element && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return element;
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .needs = needs,
};
