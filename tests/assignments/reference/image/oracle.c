/* oracle.c: gray values, and means of windows. */
#include "model/oracle.h"

#include <math.h>
#include <string.h>

enum { WIDTH, HEIGHT, RADIUS };

static double mean(const struct oracle_problem *problem, int64_t row, int64_t column)
{
    const int64_t width = problem->parameters[WIDTH], height = problem->parameters[HEIGHT];
    const int64_t radius = problem->parameters[RADIUS];
    const uint8_t *in = problem->inputs[0];
    int64_t sum = 0, count = 0;

    for (int64_t y = row - radius; y <= row + radius; y++) {
        for (int64_t x = column - radius; x <= column + radius; x++) {
            if (y >= 0 && y < height && x >= 0 && x < width) {
                sum += in[y * width + x];
                count++;
            }
        }
    }
    return (double)(sum / count);
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t width = problem->parameters[WIDTH];
    const uint8_t *rgb = problem->inputs[0];

    (void)out_magnitudes;
    for (int64_t i = 0; i < (int64_t)problem->output_count; i++) {
        out_expected[i] =
            strcmp(problem->launch, "blur") == 0
                ? mean(problem, i / width, i % width)
                : rint(0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2]);
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
