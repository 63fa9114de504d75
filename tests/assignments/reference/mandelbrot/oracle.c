/* oracle.c: the steps in double; pixels for which float gives others are doubtful. */
#include "model/oracle.h"

#include <math.h>

enum { WIDTH, HEIGHT };         /* parameters */
enum { X0, Y0, X1, Y1, LIMIT }; /* scalars */

#define STEPS(name, type)                                                                          \
    static int name(const struct oracle_problem *problem, int64_t pixel)                           \
    {                                                                                              \
        const int64_t width = problem->parameters[WIDTH], height = problem->parameters[HEIGHT];    \
        const type x0 = (type)problem->scalars[X0], y0 = (type)problem->scalars[Y0];               \
        const type x1 = (type)problem->scalars[X1], y1 = (type)problem->scalars[Y1];               \
        const type cx = x0 + (type)(pixel % width) * (x1 - x0) / (type)width;                      \
        const type cy = y0 + (type)(pixel / width) * (y1 - y0) / (type)height;                     \
        type x = 0, y = 0;                                                                         \
        int steps = 0;                                                                             \
        while (steps < problem->scalars[LIMIT] && x * x + y * y <= 4) {                            \
            const type next = x * x - y * y + cx;                                                  \
            y = 2 * x * y + cy;                                                                    \
            x = next;                                                                              \
            steps++;                                                                               \
        }                                                                                          \
        return steps;                                                                              \
    }
STEPS(steps_in_float, float)
STEPS(steps_in_double, double)

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    (void)out_magnitudes;
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = steps_in_double(problem, (int64_t)i);
    }
}

static void doubtful(const struct oracle_problem *problem, size_t output,
                     unsigned char *out_doubtful)
{
    for (size_t i = 0; i < problem->output_counts[output]; i++) {
        out_doubtful[i] =
            steps_in_float(problem, (int64_t)i) != steps_in_double(problem, (int64_t)i);
    }
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION, .expect = expect, .doubtful = doubtful};
