/* oracle.c: the accelerations, and the sums of their magnitudes. */
#include "model/oracle.h"

#include <math.h>

enum { N };         /* parameters */
enum { SOFTENING }; /* scalars */

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float(*body)[4] = problem->inputs[0];
    const double softening = problem->scalars[SOFTENING];

    for (int64_t i = 0; i < problem->parameters[N]; i++) {
        for (int64_t j = 0; j < problem->parameters[N]; j++) {
            double square = softening * softening;
            for (int k = 0; k < 3; k++) {
                square += ((double)body[j][k] - body[i][k]) * ((double)body[j][k] - body[i][k]);
            }
            for (int k = 0; k < 3; k++) {
                const double part =
                    body[j][3] * ((double)body[j][k] - body[i][k]) / pow(square, 1.5);
                out_expected[3 * i + k] += part;
                out_magnitudes[3 * i + k] += fabs(part);
            }
        }
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
