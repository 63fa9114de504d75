/* oracle.c: what adjacent differences must be, and what well-known mistakes make of them.
 *
 *   result[0] = input[0],   result[i] = input[i] - input[i - 1]
 *
 * A mistake is a function that says, for one element, what is written there: a value, nothing, or
 * that it is not determined, since threads read what was never written or go outside the input.
 * A mistake is not judged where any element is not determined, nor where it changes nothing for
 * these sizes or leaves only zeros and unwritten elements, since many others do the same.
 *
 * Differences are exact: inputs are whole numbers whose differences fit into an int.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>

/* One problem. */
struct sequence {
    const int32_t *input;
    int64_t count;
    int64_t block; /* threads */
};

/* What is written at one place. */
enum written { VALUE, NOTHING, UNDETERMINED };
typedef enum written place_function(const struct sequence *sequence, int64_t i, double *out_value);

static struct sequence sequence_of(const struct oracle_problem *problem)
{
    return (struct sequence){
        .input = problem->inputs[0],
        .count = (int64_t)problem->output_count,
        .block = problem->block,
    };
}

/* The right result ***************************************************************************/

static double right_value(const struct sequence *sequence, int64_t i)
{
    const double own = sequence->input[i];
    return i == 0 ? own : own - (double)sequence->input[i - 1];
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct sequence sequence = sequence_of(problem);
    for (int64_t i = 0; i < sequence.count; i++) {
        out_expected[i] = right_value(&sequence, i);
        out_magnitudes[i] =
            fabs((double)sequence.input[i]) + (i == 0 ? 0.0 : fabs((double)sequence.input[i - 1]));
    }
}

/* The element itself, and the one before. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t i = 0; i < 2 && i < capacity && i <= element; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = element - i};
    }
    return element == 0 ? 1 : 2;
}

/* Mistakes ***********************************************************************************/

/* True for the first element of every block but the first, whose neighbour is another block's. */
static bool is_border(const struct sequence *sequence, int64_t i)
{
    return i > 0 && i % sequence->block == 0;
}

/* input[i] - input[other]. */
static enum written difference(const struct sequence *sequence, int64_t i, int64_t other,
                               double *out_value)
{
    if (other < 0 || other >= sequence->count) {
        return UNDETERMINED;
    }
    *out_value = (double)sequence->input[i] - (double)sequence->input[other];
    return VALUE;
}

static enum written right(const struct sequence *sequence, int64_t i, double *out_value)
{
    *out_value = right_value(sequence, i);
    return VALUE;
}

static enum written constant(double value, double *out_value)
{
    *out_value = value;
    return VALUE;
}

static enum written border_copied(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? constant(sequence->input[i], out_value)
                                  : right(sequence, i, out_value);
}

static enum written border_zero(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? constant(0.0, out_value) : right(sequence, i, out_value);
}

static enum written border_negated(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? constant(-(double)sequence->input[i - 1], out_value)
                                  : right(sequence, i, out_value);
}

static enum written border_unwritten(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? NOTHING : right(sequence, i, out_value);
}

static enum written border_wraps(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? difference(sequence, i, i + sequence->block - 1, out_value)
                                  : right(sequence, i, out_value);
}

static enum written border_of_first(const struct sequence *sequence, int64_t i, double *out_value)
{
    return is_border(sequence, i) ? difference(sequence, i, i - sequence->block, out_value)
                                  : right(sequence, i, out_value);
}

static enum written border_by_one_less(const struct sequence *sequence, int64_t i,
                                       double *out_value)
{
    return is_border(sequence, i) ? difference(sequence, i, i - 2, out_value)
                                  : right(sequence, i, out_value);
}

static enum written border_of_block_number(const struct sequence *sequence, int64_t i,
                                           double *out_value)
{
    return is_border(sequence, i) ? difference(sequence, i, i / sequence->block - 1, out_value)
                                  : right(sequence, i, out_value);
}

static enum written first_zero(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i == 0 ? constant(0.0, out_value) : right(sequence, i, out_value);
}

static enum written first_unwritten(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i == 0 ? NOTHING : right(sequence, i, out_value);
}

static enum written first_by_last(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i == 0 ? difference(sequence, i, sequence->count - 1, out_value)
                  : right(sequence, i, out_value);
}

static enum written starts_zero(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i % sequence->block == 0 ? constant(0.0, out_value) : right(sequence, i, out_value);
}

static enum written starts_unwritten(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i % sequence->block == 0 ? NOTHING : right(sequence, i, out_value);
}

static enum written reversed(const struct sequence *sequence, int64_t i, double *out_value)
{
    return constant(i == 0 ? right_value(sequence, i) : -right_value(sequence, i), out_value);
}

static enum written sums(const struct sequence *sequence, int64_t i, double *out_value)
{
    const double before = i == 0 ? 0.0 : (double)sequence->input[i - 1];
    return constant((double)sequence->input[i] + before, out_value);
}

static enum written copied(const struct sequence *sequence, int64_t i, double *out_value)
{
    return constant(sequence->input[i], out_value);
}

static enum written next_minus_own(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i + 1 < sequence->count
               ? constant((double)sequence->input[i + 1] - (double)sequence->input[i], out_value)
               : NOTHING;
}

static enum written own_minus_next(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i + 1 < sequence->count ? difference(sequence, i, i + 1, out_value)
                                   : constant(sequence->input[i], out_value);
}

static enum written distance_two(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i < 2 ? right(sequence, i, out_value) : difference(sequence, i, i - 2, out_value);
}

static enum written block_before(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i < sequence->block ? constant(sequence->input[i], out_value)
                               : difference(sequence, i, i - sequence->block, out_value);
}

static enum written first_elements(const struct sequence *sequence, int64_t i, double *out_value)
{
    const int64_t within = i % sequence->block;
    const double own = sequence->input[within];
    const double before = i == 0        ? 0.0
                          : within == 0 ? (double)sequence->input[i - 1]
                                        : (double)sequence->input[within - 1];
    return constant(own - before, out_value);
}

static enum written first_block_only(const struct sequence *sequence, int64_t i, double *out_value)
{
    return i >= sequence->block ? NOTHING : right(sequence, i, out_value);
}

static enum written last_block_missing(const struct sequence *sequence, int64_t i,
                                       double *out_value)
{
    return i >= sequence->count - sequence->count % sequence->block ? NOTHING
                                                                    : right(sequence, i, out_value);
}

static enum written last_element_missing(const struct sequence *sequence, int64_t i,
                                         double *out_value)
{
    return i == sequence->count - 1 ? NOTHING : right(sequence, i, out_value);
}

static enum written last_of_block_missing(const struct sequence *sequence, int64_t i,
                                          double *out_value)
{
    return i % sequence->block == sequence->block - 1 ? NOTHING : right(sequence, i, out_value);
}

/* Computes a mistake; 0 if it cannot be judged. */
static int mistaken(const struct oracle_problem *problem, place_function *place, double *out_values)
{
    const struct sequence sequence = sequence_of(problem);
    bool differs = false;
    bool says_something = false;

    for (int64_t i = 0; i < sequence.count; i++) {
        double value = NAN;
        const enum written written = place(&sequence, i, &value);
        if (written == UNDETERMINED) {
            return 0;
        }
        out_values[i] = written == NOTHING ? NAN : value;
        differs = differs || !(out_values[i] == right_value(&sequence, i));
        says_something = says_something || (written == VALUE && value != 0.0);
    }
    return differs && says_something;
}

/* ROW(name, message, hint); the more frequent ones first. */
#define HALO                                                                                       \
    "the left neighbour of a block's first element is input[i - 1], which another block loads: "   \
    "load "                                                                                        \
    "it from global memory, for every block but the first"
#define MISTAKES(ROW)                                                                              \
    ROW(border_copied, "nothing is subtracted from the first element of each block", HALO)         \
    ROW(border_zero, "the first element of each block is 0: it is subtracted from itself", HALO)   \
    ROW(border_negated, "the first element of each block is only its neighbour, negated",          \
        "thread 0 of a block needs its own element too")                                           \
    ROW(border_unwritten, "the first element of each block but the first is never written", HALO)  \
    ROW(starts_unwritten, "the first element of each block is never written",                      \
        HALO "; result[0] is input[0]")                                                            \
    ROW(starts_zero, "the first element of each block is 0", HALO "; result[0] is input[0]")       \
    ROW(border_wraps, "the first element of each block is compared with the block's last", HALO)   \
    ROW(border_of_first,                                                                           \
        "the first element of each block is compared with the first of the block before", HALO)    \
    ROW(border_by_one_less,                                                                        \
        "the first element of each block is compared with the one before its "                     \
        "left neighbour",                                                                          \
        HALO)                                                                                      \
    ROW(border_of_block_number, "the first element of block b is compared with input[b - 1]",      \
        "multiply the block number by the threads per block: input[blockIdx.x * "                  \
        "blockDim.x - 1]")                                                                         \
    ROW(first_zero, "result[0] is 0", "the first element has no neighbour: result[0] is input[0]") \
    ROW(first_unwritten, "result[0] is never written",                                             \
        "the first element has no neighbour: result[0] is input[0]")                               \
    ROW(first_by_last, "result[0] is the difference to the last element",                          \
        "the first element has no neighbour: result[0] is input[0]")                               \
    ROW(reversed, "every difference has the wrong sign",                                           \
        "the left neighbour is subtracted: input[i] - input[i - 1]")                               \
    ROW(sums, "the neighbour is added, not subtracted", "a difference: input[i] - input[i - 1]")   \
    ROW(copied, "nothing is subtracted: the result is the input",                                  \
        "subtract the left neighbour: input[i] - input[i - 1]")                                    \
    ROW(next_minus_own, "each element is the difference to its right neighbour",                   \
        "the left neighbour is subtracted: input[i] - input[i - 1]")                               \
    ROW(own_minus_next, "the right neighbour is subtracted",                                       \
        "the left neighbour is subtracted: input[i] - input[i - 1]")                               \
    ROW(distance_two, "the element two places to the left is subtracted",                          \
        "the left neighbour is subtracted: input[i] - input[i - 1]")                               \
    ROW(block_before, "each element is compared with the same place in the block before",          \
        "the left neighbour is subtracted: input[i] - input[i - 1]")                               \
    ROW(first_elements, "every block reads the first elements of the input",                       \
        "a block's elements start at blockIdx.x * blockDim.x")                                     \
    ROW(first_block_only, "only the first block's elements are written",                           \
        "launch blocks for all elements, and use blockIdx.x * blockDim.x in the index")            \
    ROW(last_block_missing,                                                                        \
        "the elements of the last block, which is not full, are never written",                    \
        "round up: (n + threads - 1) / threads blocks")                                            \
    ROW(last_element_missing, "the last element is never written",                                 \
        "indices run up to n - 1: a thread has an element if i < n")                               \
    ROW(last_of_block_missing, "the last element of each full block is never written",             \
        "every thread of a block writes one element, the last one too")

#define COMPUTE(name, message, hint)                                                               \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, name, out_values);                                                \
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
