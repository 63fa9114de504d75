/* oracle.c: the sums of products, with the mask that main.cu makes of the seed. */
#include "model/oracle.h"

#include <math.h>

enum { WIDTH, HEIGHT, RADIUS, SEED };

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t width = problem->parameters[WIDTH], height = problem->parameters[HEIGHT];
    const int64_t radius = problem->parameters[RADIUS], seed = problem->parameters[SEED];
    const float *in = problem->inputs[0];

    for (int64_t i = 0; i < width * height; i++) {
        for (int64_t k = 0; k < (2 * radius + 1) * (2 * radius + 1); k++) {
            const int64_t y = i / width + k / (2 * radius + 1) - radius;
            const int64_t x = i % width + k % (2 * radius + 1) - radius;
            if (y >= 0 && y < height && x >= 0 && x < width) {
                const double product = (double)(seed * (k + 3) % 17 - 8) * in[y * width + x];
                out_expected[i] += product;
                out_magnitudes[i] += fabs(product);
            }
        }
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
