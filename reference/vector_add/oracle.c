/* oracle.c: what addition and saxpy must give, and what well-known mistakes make of them.
 *
 *   addVectors   c[i] = a[i] + b[i]
 *   saxpy        y[i] = alpha * x[i] + y[i]
 *
 * Both are alpha * x[i] + y[i]; in an addition alpha is 1. A mistake is a function that says what
 * is written at one place: a value, or NaN where nothing is written. A mistake is not judged where
 * it gives the right result for these inputs, where it leaves only zeros, since many others do the
 * same, nor for many elements, since each of them shows for few already.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MANY = 20000 };
enum { X, Y }; /* inputs, in the order of the rubric: d_a and d_b, or d_x and d_y */

struct vectors {
    double alpha;
    const float *x, *y;
    size_t count;
};

typedef double place_function(const struct vectors *vectors, size_t i);

static bool adds(const struct oracle_problem *problem)
{
    return strcmp(problem->launch, "add") == 0 || strcmp(problem->launch, "naive-add") == 0;
}

static struct vectors vectors_of(const struct oracle_problem *problem)
{
    return (struct vectors){
        .alpha = adds(problem) ? 1.0 : problem->scalars[0],
        .x = problem->inputs[X],
        .y = problem->inputs[Y],
        .count = problem->output_count,
    };
}

/* The right result ***************************************************************************/

static double right(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->x[i] + vectors->y[i];
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct vectors vectors = vectors_of(problem);

    for (size_t i = 0; i < vectors.count; i++) {
        out_expected[i] = right(&vectors, i);
        out_magnitudes[i] = fabs(vectors.alpha * vectors.x[i]) + fabs((double)vectors.y[i]);
    }
}

/* The elements at the same place. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t input = X; input <= Y && input < capacity; input++) {
        out_needs[input] = (struct oracle_need){.input = input, .element = element};
    }
    return 2;
}

/* Mistakes of both ***************************************************************************/

static double second_left_out(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->x[i];
}

static double second_subtracted(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->x[i] - vectors->y[i];
}

static double first_subtracted(const struct vectors *vectors, size_t i)
{
    return vectors->y[i] - vectors->alpha * vectors->x[i];
}

static double multiplied(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->x[i] * vectors->y[i];
}

static double first_twice(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->x[i] + vectors->x[i];
}

static double second_twice(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * vectors->y[i] + vectors->y[i];
}

static double whole_twice(const struct vectors *vectors, size_t i)
{
    return 2.0 * right(vectors, i);
}

static double last_not_written(const struct vectors *vectors, size_t i)
{
    return i + 1 == vectors->count ? NAN : right(vectors, i);
}

static double first_not_written(const struct vectors *vectors, size_t i)
{
    return i == 0 ? NAN : right(vectors, i);
}

static double reversed(const struct vectors *vectors, size_t i)
{
    return right(vectors, vectors->count - 1 - i);
}

/* Mistakes of an addition ********************************************************************/

static double first_left_out(const struct vectors *vectors, size_t i)
{
    return vectors->y[i];
}

/* Mistakes of saxpy **************************************************************************/

static double alpha_left_out(const struct vectors *vectors, size_t i)
{
    return (double)vectors->x[i] + vectors->y[i];
}

static double alpha_with_y(const struct vectors *vectors, size_t i)
{
    return vectors->x[i] + vectors->alpha * vectors->y[i];
}

static double alpha_with_both(const struct vectors *vectors, size_t i)
{
    return vectors->alpha * ((double)vectors->x[i] + vectors->y[i]);
}

static double alpha_whole(const struct vectors *vectors, size_t i)
{
    return trunc(vectors->alpha) * vectors->x[i] + vectors->y[i];
}

static double alpha_added(const struct vectors *vectors, size_t i)
{
    return vectors->alpha + vectors->x[i] + vectors->y[i];
}

static double product_twice(const struct vectors *vectors, size_t i)
{
    return 2.0 * vectors->alpha * vectors->x[i] + vectors->y[i];
}

static double unchanged(const struct vectors *vectors, size_t i)
{
    return vectors->y[i];
}

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, bool is_of_addition,
                    place_function *place, double *out_values)
{
    const struct vectors vectors = vectors_of(problem);
    bool differs = false;
    bool says_something = false;

    if (adds(problem) != is_of_addition || vectors.count > MANY) {
        return 0;
    }
    for (size_t i = 0; i < vectors.count; i++) {
        out_values[i] = place(&vectors, i);
        differs = differs || !(out_values[i] == right(&vectors, i));
        says_something = says_something || (!isnan(out_values[i]) && out_values[i] != 0.0);
    }
    return differs && says_something;
}

/* ROW(name, is of the addition, place, message, hint); the more frequent ones first. */
#define END "element n - 1 is the last one: a thread has an element if i < n"
#define START "indices start at 0: i = blockIdx.x * blockDim.x + threadIdx.x"
#define MISTAKES(ROW)                                                                              \
    ROW(b_left_out, true, second_left_out, "c holds the elements of a alone", "add b[i]")          \
    ROW(a_left_out, true, first_left_out, "c holds the elements of b alone", "add a[i]")           \
    ROW(difference, true, second_subtracted, "b is subtracted, not added", "c[i] = a[i] + b[i]")   \
    ROW(difference_of_b, true, first_subtracted, "a is subtracted from b", "c[i] = a[i] + b[i]")   \
    ROW(product, true, multiplied, "a and b are multiplied, not added", "c[i] = a[i] + b[i]")      \
    ROW(a_twice, true, first_twice, "a is added to itself", "add a[i] and b[i]")                   \
    ROW(b_twice, true, second_twice, "b is added to itself", "add a[i] and b[i]")                  \
    ROW(sum_twice, true, whole_twice, "every element is twice the sum",                            \
        "write the sum once: c[i] = a[i] + b[i]")                                                  \
    ROW(end_of_c, true, last_not_written, "the last element of c is never written", END)           \
    ROW(start_of_c, true, first_not_written, "the first element of c is never written", START)     \
    ROW(c_reversed, true, reversed, "c is in reverse order",                                       \
        "use the same index for all three arrays")                                                 \
    ROW(alpha_forgotten, false, alpha_left_out, "alpha is left out: y holds x + y",                \
        "multiply x[i] by alpha")                                                                  \
    ROW(y_forgotten, false, second_left_out, "the old y is left out: y holds alpha * x",           \
        "add the old y[i], which you read before you write y[i]")                                  \
    ROW(nothing_done, false, unchanged, "y is unchanged",                                          \
        "write the result to y[i], in d_y itself")                                                 \
    ROW(alpha_for_y, false, alpha_with_y, "alpha multiplies y, not x",                             \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(alpha_for_both, false, alpha_with_both, "alpha multiplies the whole sum",                  \
        "only x[i] is multiplied by alpha: y[i] = alpha * x[i] + y[i]")                            \
    ROW(alpha_truncated, false, alpha_whole, "alpha loses its fraction: 2.5 counts as 2",          \
        "let the kernel's parameter alpha be a float, not an int")                                 \
    ROW(alpha_summed, false, alpha_added, "alpha is added, not multiplied",                        \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(added_twice, false, product_twice, "alpha * x is added twice",                             \
        "let exactly one thread of one launch handle each element")                                \
    ROW(y_subtracted, false, second_subtracted, "the old y is subtracted, not added",              \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(x_subtracted, false, first_subtracted, "alpha * x is subtracted, not added",               \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(x_for_y, false, first_twice, "x is added to alpha * x, not y",                             \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(y_for_x, false, second_twice, "y is multiplied by alpha, and added: x is not used",        \
        "y[i] = alpha * x[i] + y[i]")                                                              \
    ROW(y_reversed, false, reversed, "y is in reverse order", "use the same index for x and y")

#define COMPUTE(name, is_of_addition, place, message, hint)                                        \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, is_of_addition, place, out_values);                               \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, is_of_addition, place, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
