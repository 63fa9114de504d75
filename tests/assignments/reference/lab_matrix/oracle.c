/* oracle.c: a product of matrices. */
#include "model/oracle.h"

#include <math.h>

enum { ROWS, INNER, COLUMNS }; /* parameters */
enum { A, B };                 /* inputs */

static const float *input(const struct oracle_problem *problem, size_t index)
{
    return problem->inputs[index];
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t rows = problem->parameters[ROWS], inner = problem->parameters[INNER];
    const int64_t columns = problem->parameters[COLUMNS];

    for (int64_t i = 0; i < rows * columns; i++) {
        out_expected[i] = out_magnitudes[i] = 0.0;
        for (int64_t k = 0; k < inner; k++) {
            const double product = (double)input(problem, A)[i / columns * inner + k] *
                                   input(problem, B)[k * columns + i % columns];
            out_expected[i] += product;
            out_magnitudes[i] += fabs(product);
        }
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
