/* oracle.c: the sums of rows, and matrices with rows of random lengths. */
#include "model/oracle.h"

#include <math.h>

enum { ROWS, COLUMNS, MEAN, LEAST }; /* MEAN elements in a row on average, LEAST at least */

static void make_inputs(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    const int64_t rows = problem->parameters[ROWS], least = problem->parameters[LEAST];
    int64_t free = rows * (problem->parameters[MEAN] - least);
    int32_t *start = inputs[0], *column = inputs[1];

    start[0] = 0;
    for (int64_t row = 0; row < rows; row++) {
        /* One row in eight is long, some are as short as can be. */
        const int64_t most = oracle_random_range(random, 0, 7) == 0 ? free
                             : free < 2 * (free / (rows - row))     ? free
                                                                    : 2 * (free / (rows - row));
        const int64_t more = row + 1 == rows ? free : oracle_random_range(random, 0, most);
        start[row + 1] = start[row] + (int32_t)(least + more);
        free -= more;
    }
    for (int32_t i = 0; i < start[rows]; i++) {
        column[i] = (int32_t)oracle_random_range(random, 0, problem->parameters[COLUMNS] - 1);
    }
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int32_t *start = problem->inputs[0], *column = problem->inputs[1];
    const float *value = problem->inputs[2], *x = problem->inputs[3];

    for (int64_t row = 0; row < problem->parameters[ROWS]; row++) {
        for (int32_t i = start[row]; i < start[row + 1]; i++) {
            out_expected[row] += (double)value[i] * x[column[i]];
            out_magnitudes[row] += fabs((double)value[i] * x[column[i]]);
        }
    }
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION, .expect = expect, .make_inputs = make_inputs};
