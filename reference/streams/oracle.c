/* oracle.c: what the chunks must become, and what well-known mistakes make of them.
 *
 *   h_out[i] = sqrtf(h_in[i]) * 2 + 1
 *
 * The root is rounded to float, and doubling it is exact. So this is what a kernel in float gives,
 * bit for bit, and the results of mistakes in float are too.
 *
 * A mistake is a formula, or a function that says where the value of an element comes from: it is
 * h_in[from(i)], processed, or nothing is written. A mistake is not judged where it reads outside
 * of h_in, nor where nothing differs.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>

enum { N, CHUNKS }; /* parameters, in the order of the rubric */

enum { NOTHING = -1, OUTSIDE = -2 }; /* in the place of an index */

struct chunking {
    int64_t n, chunks;
    int64_t size; /* of all chunks but the last ones */
};

typedef float formula_function(float x);
typedef int64_t from_function(const struct chunking *chunking, int64_t i);

static struct chunking chunking_of(const struct oracle_problem *problem)
{
    const int64_t n = problem->parameters[N];
    const int64_t chunks = problem->parameters[CHUNKS];
    return (struct chunking){.n = n, .chunks = chunks, .size = (n + chunks - 1) / chunks};
}

/* The right result ***************************************************************************/

static float right(float x)
{
    return sqrtf(x) * 2.0f + 1.0f;
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const float *in = problem->inputs[0];
    for (int64_t i = 0; i < problem->parameters[N]; i++) {
        out_expected[i] = (double)right(in[i]);
        out_magnitudes[i] = out_expected[i];
    }
}

static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    if (capacity > 0) {
        out_needs[0] = (struct oracle_need){.input = 0, .element = element};
    }
    return 1;
}

/* Formulas ***********************************************************************************/

static float plain_copy(float x)
{
    return x;
}

static float one_left_out(float x)
{
    return sqrtf(x) * 2.0f;
}

static float two_left_out(float x)
{
    return sqrtf(x) + 1.0f;
}

static float root_left_out(float x)
{
    return x * 2.0f + 1.0f;
}

static float one_added_first(float x)
{
    return (sqrtf(x) + 1.0f) * 2.0f;
}

static float root_of_double(float x)
{
    return sqrtf(x * 2.0f) + 1.0f;
}

static float root_of_all(float x)
{
    return sqrtf(x * 2.0f + 1.0f);
}

/* Where values come from *********************************************************************/

static int64_t same(const struct chunking *chunking, int64_t i)
{
    (void)chunking;
    return i;
}

static int64_t remainder_missing(const struct chunking *chunking, int64_t i)
{
    return i < chunking->n / chunking->chunks * chunking->chunks ? i : NOTHING;
}

static int64_t first_chunk_only(const struct chunking *chunking, int64_t i)
{
    return i < chunking->size ? i : NOTHING;
}

static int64_t first_chunk_only_down(const struct chunking *chunking, int64_t i)
{
    return i < chunking->n / chunking->chunks ? i : NOTHING;
}

static int64_t first_chunk_everywhere(const struct chunking *chunking, int64_t i)
{
    return i % chunking->size;
}

static int64_t chunk_of(const struct chunking *chunking, int64_t i)
{
    return i / chunking->size;
}

static int64_t last_chunk_of(const struct chunking *chunking)
{
    return chunk_of(chunking, chunking->n - 1);
}

static int64_t last_chunk_missing(const struct chunking *chunking, int64_t i)
{
    return chunk_of(chunking, i) < last_chunk_of(chunking) ? i : NOTHING;
}

static int64_t first_chunk_missing(const struct chunking *chunking, int64_t i)
{
    return chunk_of(chunking, i) > 0 ? i : NOTHING;
}

/* How many elements the chunk of i has. */
static int64_t size_at(const struct chunking *chunking, int64_t i)
{
    const int64_t first = chunk_of(chunking, i) * chunking->size;
    return chunking->n - first < chunking->size ? chunking->n - first : chunking->size;
}

/* A count of elements is passed for one of bytes. Of less than four bytes, the rest is unknown. */
static int64_t quarter_of_chunk(const struct chunking *chunking, int64_t i)
{
    const int64_t within = i % chunking->size;
    const int64_t bytes = size_at(chunking, i);
    if (bytes % 4 != 0) {
        return OUTSIDE;
    }
    return within < bytes / 4 ? i : NOTHING;
}

static int64_t last_of_chunk_missing(const struct chunking *chunking, int64_t i)
{
    return i % chunking->size < size_at(chunking, i) - 1 ? i : NOTHING;
}

static int64_t last_missing(const struct chunking *chunking, int64_t i)
{
    return i < chunking->n - 1 ? i : NOTHING;
}

static int64_t every_other_chunk(const struct chunking *chunking, int64_t i)
{
    return chunk_of(chunking, i) % 2 == 0 ? i : NOTHING;
}

/* Mistakes ***********************************************************************************/

static int mistaken(const struct oracle_problem *problem, formula_function *formula,
                    from_function *from, double *out_values)
{
    const float *in = problem->inputs[0];
    const struct chunking chunking = chunking_of(problem);
    bool differs = false;

    for (int64_t i = 0; i < chunking.n; i++) {
        const int64_t source = from(&chunking, i);
        if (source == OUTSIDE || source >= chunking.n) {
            return 0;
        }
        out_values[i] = source == NOTHING ? (double)NAN : (double)formula(in[source]);
        const double error = fabs(out_values[i] - (double)right(in[i]));
        differs = differs || !(error <= 1e-6 * (double)right(in[i]));
    }
    return differs;
}

/* name; formula; where values come from; message; hint */
#define MISTAKES(ROW)                                                                              \
    ROW(plain_copy, plain_copy, same, "every element is copied as it is",                          \
        "compute in a kernel between the two copies")                                              \
    ROW(one_left_out, one_left_out, same, "1 is never added", "out = sqrtf(in) * 2 + 1")           \
    ROW(two_left_out, two_left_out, same, "the root is not doubled", "out = sqrtf(in) * 2 + 1")    \
    ROW(root_left_out, root_left_out, same, "no root is taken", "out = sqrtf(in) * 2 + 1")         \
    ROW(one_added_first, one_added_first, same, "1 is added before the root is doubled",           \
        "out = sqrtf(in) * 2 + 1: multiply first")                                                 \
    ROW(root_of_double, root_of_double, same, "the element is doubled before the root is taken",   \
        "out = sqrtf(in) * 2 + 1: take the root first")                                            \
    ROW(root_of_all, root_of_all, same, "the root is taken last",                                  \
        "out = sqrtf(in) * 2 + 1: take the root first")                                            \
    ROW(remainder_missing, right, remainder_missing,                                               \
        "the elements after chunks * (n / chunks) are never written",                              \
        "round the size of a chunk up: (n + chunks - 1) / chunks; the last chunk may be smaller")  \
    ROW(first_chunk_only, right, first_chunk_only, "only the first chunk is written",              \
        "chunk c starts at c * size, in both arrays, and there are more of them")                  \
    ROW(first_chunk_only_down, right, first_chunk_only_down, "only the first chunk is written",    \
        "chunk c starts at c * size, in both arrays, and there are more of them")                  \
    ROW(first_chunk_everywhere, right, first_chunk_everywhere,                                     \
        "every chunk is computed from the first chunk of h_in",                                    \
        "chunk c is copied from h_in + c * size")                                                  \
    ROW(last_chunk_missing, right, last_chunk_missing, "the last chunk is never written",          \
        "look at the end of the loop over chunks")                                                 \
    ROW(first_chunk_missing, right, first_chunk_missing, "the first chunk is never written",       \
        "let chunks count from 0")                                                                 \
    ROW(quarter_of_chunk, right, quarter_of_chunk,                                                 \
        "only the first quarter of each chunk is written",                                         \
        "cudaMemcpyAsync wants bytes: elements * sizeof(float)")                                   \
    ROW(last_of_chunk_missing, right, last_of_chunk_missing,                                       \
        "the last element of each chunk is never written",                                         \
        "a thread has an element if i < count, and all of them are copied back")                   \
    ROW(last_missing, right, last_missing, "the last element is never written",                    \
        "indices run up to n - 1")                                                                 \
    ROW(every_other_chunk, right, every_other_chunk, "every other chunk is never written",         \
        "all chunks must be given to a stream")

#define COMPUTE(name, formula, from, message, hint)                                                \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, formula, from, out_values);                                       \
    }
MISTAKES(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, formula, from, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
    .copy_mistakes =
        (const char *const[]){"remainder_missing", "first_chunk_only", "first_chunk_only_down",
                              "first_chunk_everywhere", "last_chunk_missing", "first_chunk_missing",
                              "quarter_of_chunk", "every_other_chunk", NULL},
};
