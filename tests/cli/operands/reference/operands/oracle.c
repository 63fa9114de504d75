/* oracle.c: what the kernels of operands.h must give. */
#include "model/oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_launch(const struct oracle_problem *problem, const char *name)
{
    return strcmp(problem->launch, name) == 0;
}

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double size =
        exponent == 0 ? ldexp(bits & 1023, -24) : ldexp(1024 + (bits & 1023), exponent - 25);

    return (bits & 0x8000) != 0 ? -size : size;
}

static void saxpy(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    const float *x = problem->inputs[0], *y = problem->inputs[1];

    for (size_t i = 0; i < problem->output_counts[0]; i++) {
        out[i] = problem->scalars[0] * x[i] + y[i];
        magnitudes[i] = fabs(problem->scalars[0] * x[i]) + fabsf(y[i]);
    }
}

static void compact(const struct oracle_problem *problem, double *out, double *count)
{
    const int32_t *in = problem->inputs[0];

    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        if (in[i] > 0) {
            out[(size_t)count[0]] = in[i];
            count[0]++;
        }
    }
}

static void gray(const struct oracle_problem *problem, double *out)
{
    const uint8_t *rgb = problem->inputs[0];

    for (size_t i = 0; i < problem->output_counts[0]; i++) {
        out[i] = rint(0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2]);
    }
}

static void bins(const struct oracle_problem *problem, double *out)
{
    const uint8_t *in = problem->inputs[0];

    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        out[in[i]]++;
    }
}

static void sparse(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    const int32_t *start = problem->inputs[0], *column = problem->inputs[1];
    const float *value = problem->inputs[2], *x = problem->inputs[3];

    for (size_t row = 0; row < problem->output_counts[0]; row++) {
        for (int32_t i = start[row]; i < start[row + 1]; i++) {
            out[row] += (double)value[i] * x[column[i]];
            magnitudes[row] += fabs((double)value[i] * x[column[i]]);
        }
    }
}

static void vectors(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    const float(*in)[4] = problem->inputs[0];
    const size_t n = problem->input_counts[0] / 4;

    for (size_t i = 0; i < n; i++) {
        const float *one = in[i], *next = in[(i + 1) % n];
        out[3 * i] = (double)one[0] + next[0];
        out[3 * i + 1] = (double)one[1] * next[1];
        out[3 * i + 2] = one[2] / (1 + (double)next[3] * next[3]);
        magnitudes[3 * i] = fabs((double)one[0]) + fabs((double)next[0]);
        magnitudes[3 * i + 1] = fabs(out[3 * i + 1]);
        magnitudes[3 * i + 2] = fabs(out[3 * i + 2]);
    }
}

static void sum(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    const float *in = problem->inputs[0];

    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        out[0] += in[i];
        magnitudes[0] += fabsf(in[i]);
    }
}

static void expect_all(const struct oracle_problem *problem, void *const *out,
                       double *const *magnitudes)
{
    if (is_launch(problem, "saxpy")) {
        saxpy(problem, out[0], magnitudes[0]);
    } else if (is_launch(problem, "compact")) {
        compact(problem, out[0], out[1]);
    } else if (is_launch(problem, "gray")) {
        gray(problem, out[0]);
    } else if (is_launch(problem, "bins")) {
        bins(problem, out[0]);
    } else if (is_launch(problem, "sparse")) {
        sparse(problem, out[0], magnitudes[0]);
    } else if (is_launch(problem, "vectors")) {
        vectors(problem, out[0], magnitudes[0]);
    } else if (is_launch(problem, "sum")) {
        sum(problem, out[0], magnitudes[0]);
    }
    for (size_t i = 0; i < problem->output_counts[0]; i++) {
        if (is_launch(problem, "half")) {
            ((double *)out[0])[i] = 2 * half_value(((const uint16_t *)problem->inputs[0])[i]) + 1;
        } else if (is_launch(problem, "products")) {
            ((int64_t *)out[0])[i] = ((const int64_t *)problem->inputs[0])[i] *
                                     (int64_t)((const uint32_t *)problem->inputs[1])[i];
        } else if (is_launch(problem, "steps")) {
            ((double *)out[0])[i] = floor(((const float *)problem->inputs[0])[i] * 10.0);
        }
    }
}

/* Rows of random lengths, some of them empty. */
static void make_inputs(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    if (!is_launch(problem, "sparse")) {
        return;
    }
    const size_t rows = problem->input_counts[0] - 1, count = problem->input_counts[1];
    int32_t *start = inputs[0], *column = inputs[1];

    for (size_t i = 0; i <= rows; i++) {
        start[i] = i == 0      ? 0
                   : i == rows ? (int32_t)count
                               : (int32_t)oracle_random_range(random, start[i - 1], (int64_t)count);
    }
    for (size_t i = 0; i < count; i++) {
        column[i] = (int32_t)oracle_random_range(random, 0, (int64_t)problem->input_counts[3] - 1);
    }
}

/* Ascending by the last digit, with the same number of each digit as before. */
static int check(const struct oracle_problem *problem, const void *const *outputs,
                 struct oracle_objection *out)
{
    const uint32_t *before = problem->inputs[0], *after = outputs[0];
    uint64_t sums[2] = {0, 0};

    for (size_t i = 0; i < problem->output_counts[0]; i++) {
        sums[0] += before[i];
        sums[1] += after[i];
        if (i > 0 && after[i] % 10 < after[i - 1] % 10) {
            out->element = i;
            snprintf(out->sentence, sizeof out->sentence, "the key %u follows the key %u", after[i],
                     after[i - 1]);
            return 1;
        }
    }
    if (sums[0] != sums[1]) {
        snprintf(out->sentence, sizeof out->sentence, "keys are lost");
    }
    return sums[0] != sums[1];
}

static void doubtful(const struct oracle_problem *problem, size_t output, unsigned char *out)
{
    const float *x = problem->inputs[0];

    for (size_t i = 0; i < problem->output_counts[output]; i++) {
        out[i] = floor(x[i] * 10.0) != floorf(x[i] * 10.0f);
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION,
                                       .expect_all = expect_all,
                                       .make_inputs = make_inputs,
                                       .check = check,
                                       .doubtful = doubtful};
