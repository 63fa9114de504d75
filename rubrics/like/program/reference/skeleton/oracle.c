/* oracle.c: what the result must be, and what well-known mistakes make of it.
 *
 * The grader builds it as a shared object and calls it for each case (manual: model/oracle.h).
 * Element i is a function of the inputs, and each mistake is another such function; NaN means that
 * an element is never written.
 */
#include "model/oracle.h"

#include <math.h>

enum { N }; /* parameters, in the order of the rubric */
enum { X }; /* inputs, in the order of the rubric */

static float input(const struct oracle_problem *problem, size_t which, size_t element)
{
    return ((const float *)problem->inputs[which])[element];
}

/* The right result ***************************************************************************/

static double right(const struct oracle_problem *problem, size_t i)
{
    return 2.0 * input(problem, X, i);
}

/* The bound on rounding errors is relative to the magnitudes: the sum of the absolute values of
 * everything that is added up for an element. */
static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = right(problem, i);
        out_magnitudes[i] = 2.0 * fabs((double)input(problem, X, i));
    }
}

/* Element i of the result is made of element i of each input. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    if (capacity > 0) {
        out_needs[0] = (struct oracle_need){.input = X, .element = element};
    }
    return 1;
}

/* The mistakes *******************************************************************************/

/* What element i is with a mistake. */
typedef double mistake_function(const struct oracle_problem *problem, size_t i);

/* Fills the values; 0 if they are the right ones for this problem, so that nothing is learnt. */
static int compute(const struct oracle_problem *problem, mistake_function *mistake,
                   double *out_values)
{
    int differs = 0;
    for (size_t i = 0; i < problem->output_count; i++) {
        out_values[i] = mistake(problem, i);
        differs = differs || !(out_values[i] == right(problem, i));
    }
    return differs;
}

static double plain_copy(const struct oracle_problem *problem, size_t i)
{
    return input(problem, X, i);
}

/* A grid of n / block blocks, rounded down. */
static double without_last_block(const struct oracle_problem *problem, size_t i)
{
    const size_t block = (size_t)problem->block;
    return i < problem->output_count / block * block ? right(problem, i) : NAN;
}

static double first_block_only(const struct oracle_problem *problem, size_t i)
{
    return i < (size_t)problem->block ? right(problem, i) : NAN;
}

static double without_last_element(const struct oracle_problem *problem, size_t i)
{
    return i + 1 < problem->output_count ? right(problem, i) : NAN;
}

static double shifted(const struct oracle_problem *problem, size_t i)
{
    return i > 0 ? right(problem, i - 1) : NAN;
}

#define MISTAKES(ROW)                                                                              \
    ROW(plain_copy, "every element is copied as it is", "look at what is computed from x")         \
    ROW(without_last_block, "the elements after the last whole block are never written",           \
        "round the number of blocks up")                                                           \
    ROW(first_block_only, "only the first block's elements are written",                           \
        "the index of a thread is blockIdx.x * blockDim.x + threadIdx.x, and the grid has to "     \
        "cover n")                                                                                 \
    ROW(without_last_element, "the last element is never written",                                 \
        "the condition is i < n, and there are n elements")                                        \
    ROW(shifted, "every result is one place too far", "write element i to place i")

#define COMPUTE(name, message, hint)                                                               \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return compute(problem, name, out_values);                                                 \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
