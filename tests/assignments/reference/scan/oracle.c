/* oracle.c: sums of all elements before one, and the positive elements. */
#include "model/oracle.h"

#include <string.h>

static void expect_all(const struct oracle_problem *problem, void *const *out_expected,
                       double *const *out_magnitudes)
{
    const int32_t *in = problem->inputs[0];
    const size_t n = problem->input_counts[0];
    double *out = out_expected[0];
    uint32_t sum = 0, count = 0;

    (void)out_magnitudes;
    if (strcmp(problem->launch, "scan") == 0) {
        for (size_t i = 0; i < n; i++) {
            out[i] = (int32_t)sum;
            sum += (uint32_t)in[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (in[i] > 0) {
            out[count++] = in[i];
        }
    }
    *(double *)out_expected[1] = count;
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect_all = expect_all};
