/* oracle.c: an image under a mask of 3 x 3; past its edges it is black. */
#include "model/oracle.h"

#include <math.h>

enum { HEIGHT, WIDTH }; /* parameters */
enum { IMAGE, MASK };   /* inputs */
enum { CHANNELS = 3, REACH = 1 };

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t height = problem->parameters[HEIGHT], width = problem->parameters[WIDTH];
    const float *image = problem->inputs[IMAGE], *mask = problem->inputs[MASK];

    for (int64_t i = 0; i < height * width * CHANNELS; i++) {
        const int64_t y = i / CHANNELS / width, x = i / CHANNELS % width;
        double sum = 0.0;
        for (int64_t k = 0; k < 9; k++) {
            const int64_t row = y + k / 3 - REACH, column = x + k % 3 - REACH;
            if (row >= 0 && row < height && column >= 0 && column < width) {
                sum += (double)image[(row * width + column) * CHANNELS + i % CHANNELS] * mask[k];
            }
        }
        out_expected[i] = fmin(fmax(sum, 0.0), 1.0);
        out_magnitudes[i] = sum;
    }
}

const struct oracle gpugrade_oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};
