/* oracle.c: what the result must be. gpugrade builds it as a shared object and calls it for each case
 * (model/oracle.h says what it can do besides: named mistakes, inputs of its own, a check). */
#include "model/oracle.h"

#include <math.h>

enum { HEIGHT, INNER, WIDTH }; /* parameters, in the order of the rubric */

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float *A = problem->inputs[0], *B = problem->inputs[1];
    const size_t inner = (size_t)problem->parameters[INNER];
    const size_t width = (size_t)problem->parameters[WIDTH];

    for (size_t i = 0; i < problem->output_count; i++) {
        for (size_t k = 0; k < inner; k++) {
            const double product = (double)A[i / width * inner + k] * B[k * width + i % width];
            out_expected[i] += product;
            out_magnitudes[i] += fabs(product);
        }
    }
}

/* An element is made of a row of A and a column of B. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const size_t inner = (size_t)problem->parameters[INNER];
    const size_t width = (size_t)problem->parameters[WIDTH];

    for (size_t k = 0; k < inner && 2 * k + 1 < capacity; k++) {
        out_needs[2 * k] = (struct oracle_need){.input = 0, .element = element / width * inner + k};
        out_needs[2 * k + 1] =
            (struct oracle_need){.input = 1, .element = k * width + element % width};
    }
    return 2 * inner;
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .needs = needs,
};
