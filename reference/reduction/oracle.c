/* oracle.c: what a sum and a maximum must be, and what well-known mistakes make of them.
 *
 * Most mistakes take some elements not at all, or more than once: such a mistake is a function that
 * says how often element i of n is taken. The others change the result as a whole. A mistake is not
 * judged where it takes no element, since then the result is not determined, where it gives the
 * right result, or where elements that are taken again make a sum too large to be exact. One number
 * says little about a maximum of many elements, half of which would do: there, no maximum of a part
 * is judged.
 */
#include "model/oracle.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WARP = 32, FLOAT_DIGITS = 24, FEW = 10000, MANY = 2000000 };

struct elements {
    bool is_maximum;
    size_t count;
    const float *terms;     /* of a sum */
    const int32_t *numbers; /* of a maximum */
};

static struct elements elements_of(const struct oracle_problem *problem)
{
    return (struct elements){
        .is_maximum = strstr(problem->launch, "max") != NULL,
        .count = problem->input_counts[0],
        .terms = problem->inputs[0],
        .numbers = problem->inputs[0],
    };
}

/* The right result ***************************************************************************/

static double right(const struct elements *elements)
{
    double result = elements->is_maximum ? INT_MIN : 0.0;

    for (size_t i = 0; i < elements->count; i++) {
        result = elements->is_maximum ? fmax(result, elements->numbers[i])
                                      : result + (double)elements->terms[i];
    }
    return result;
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct elements elements = elements_of(problem);

    out_expected[0] = right(&elements);
    for (size_t i = 0; i < elements.count && !elements.is_maximum; i++) {
        out_magnitudes[0] += fabs((double)elements.terms[i]);
    }
}

/* All elements. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const size_t count = problem->input_counts[0];

    (void)element;
    for (size_t i = 0; i < count && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return count;
}

/* Elements left out, or taken several times **************************************************/

/* How often element i of n is taken; `size` is what a mistake has to do with: the threads of a
 * block, or the elements at which something ends. */
typedef size_t times_function(size_t i, size_t n, size_t size);

static size_t without_last(size_t i, size_t n, size_t size)
{
    (void)size;
    return i + 1 < n ? 1 : 0;
}

static size_t without_first(size_t i, size_t n, size_t size)
{
    (void)n, (void)size;
    return i > 0 ? 1 : 0;
}

static size_t first_alone(size_t i, size_t n, size_t size)
{
    (void)n, (void)size;
    return i == 0 ? 1 : 0;
}

static size_t last_alone(size_t i, size_t n, size_t size)
{
    (void)size;
    return i + 1 == n ? 1 : 0;
}

static size_t first_twice(size_t i, size_t n, size_t size)
{
    (void)n, (void)size;
    return i == 0 ? 2 : 1;
}

static size_t all_twice(size_t i, size_t n, size_t size)
{
    (void)i, (void)n, (void)size;
    return 2;
}

static size_t every_second(size_t i, size_t n, size_t size)
{
    (void)n, (void)size;
    return i % 2 == 0 ? 1 : 0;
}

static size_t first_half(size_t i, size_t n, size_t size)
{
    (void)n;
    return i % size < size / 2 ? 1 : 0;
}

static size_t first_of_each(size_t i, size_t n, size_t size)
{
    (void)n;
    return i % size == 0 ? 1 : 0;
}

static size_t first_warp(size_t i, size_t n, size_t size)
{
    (void)n;
    return i % size < WARP ? 1 : 0;
}

static size_t whole_blocks(size_t i, size_t n, size_t size)
{
    return i < n - n % size ? 1 : 0;
}

/* The same, where less than one block gets a block of its own. */
static size_t whole_blocks_or_one(size_t i, size_t n, size_t size)
{
    return n < size ? 1 : whole_blocks(i, n, size);
}

static size_t last_block(size_t i, size_t n, size_t size)
{
    return i / size == (n - 1) / size ? 1 : 0;
}

static size_t beginning(size_t i, size_t n, size_t size)
{
    (void)n;
    return i < size ? 1 : 0;
}

/* By its own block, and by each block before it, as far as there are blocks: so only for few. */
static size_t once_a_block(size_t i, size_t n, size_t size)
{
    (void)n;
    return 1 + i / size;
}

/* How the partial results of blocks are joined. */
enum stages {
    ONE_STAGE,   /* right */
    EACH_STAGE,  /* with the same mistake, until one is left */
    ROUNDED_DOWN /* likewise, but blocks that are not full are forgotten */
};

struct taking {
    times_function *times;
    size_t size;
    enum stages stages;
};

static size_t times_taken(const struct taking *taking, size_t i, size_t n)
{
    size_t times = taking->times(i, n, taking->size);

    while (taking->stages != ONE_STAGE && times > 0 && n > taking->size) {
        i /= taking->size;
        n = taking->stages == EACH_STAGE ? (n + taking->size - 1) / taking->size : n / taking->size;
        times *= n > 1 ? taking->times(i, n, taking->size) : 1;
    }
    return times;
}

/* The last binary place of a number that is not 0: of 12, which is 1100, it is 4. */
static double last_place(float number)
{
    int exponent = 0;
    const double mantissa = frexp(fabs((double)number), &exponent);
    uint64_t digits = (uint64_t)ldexp(mantissa, FLOAT_DIGITS);

    for (exponent -= FLOAT_DIGITS; digits % 2 == 0; digits /= 2) {
        exponent++;
    }
    return ldexp(1.0, exponent);
}

/* True if a float is likely to hold all partial sums of these terms, whatever their order: terms
 * of both signs go as far as a random walk. */
static bool is_exact(const struct elements *elements, const struct taking *taking, double result)
{
    double squares = 0.0, unit = INFINITY;

    for (size_t i = 0; i < elements->count; i++) {
        const double term = (double)elements->terms[i];
        const double terms = term * (double)times_taken(taking, i, elements->count);
        squares += terms * terms;
        unit = term != 0.0 ? fmin(unit, last_place(elements->terms[i])) : unit;
    }
    return fabs(result) + 8.0 * sqrt(squares) <= ldexp(unit, FLOAT_DIGITS);
}

/* Computes such a mistake; 0 if it cannot be judged. */
static int taken(const struct oracle_problem *problem, const struct taking *taking,
                 double *out_values)
{
    const struct elements elements = elements_of(problem);
    double result = elements.is_maximum ? INT_MIN : 0.0;
    bool takes_any = false, takes_again = false;

    if ((elements.is_maximum && elements.count > MANY) ||
        (taking->times == once_a_block && elements.count > FEW)) {
        return 0;
    }
    for (size_t i = 0; i < elements.count; i++) {
        const size_t times = times_taken(taking, i, elements.count);
        if (times == 0) {
            continue;
        }
        takes_any = true;
        takes_again = takes_again || times > 1;
        result = elements.is_maximum ? fmax(result, elements.numbers[i])
                                     : result + (double)times * (double)elements.terms[i];
    }
    out_values[0] = result;
    return takes_any && result != right(&elements) &&
           (elements.is_maximum || !takes_again || is_exact(&elements, taking, result));
}

/* Another result *****************************************************************************/

/* What the result is, of a sum or of a maximum. */
typedef double result_function(const struct elements *elements);

static double never_negative(const struct elements *elements)
{
    return fmax(0.0, right(elements));
}

static double smallest(const struct elements *elements)
{
    double result = INT_MAX;

    for (size_t i = 0; i < elements->count; i++) {
        result = fmin(result, elements->numbers[i]);
    }
    return result;
}

static double largest_magnitude(const struct elements *elements)
{
    double result = 0.0;

    for (size_t i = 0; i < elements->count; i++) {
        result = fmax(result, fabs((double)elements->numbers[i]));
    }
    return fmin(result, INT_MAX);
}

static double rounded_to_float(const struct elements *elements)
{
    return fmin((double)(float)right(elements), INT_MAX);
}

static double added(const struct elements *elements)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < elements->count; i++) {
        sum += (uint32_t)elements->numbers[i];
    }
    return (double)(int32_t)sum;
}

static double largest_term(const struct elements *elements)
{
    double result = -INFINITY;

    for (size_t i = 0; i < elements->count; i++) {
        result = fmax(result, (double)elements->terms[i]);
    }
    return result;
}

static double mean(const struct elements *elements)
{
    return right(elements) / (double)elements->count;
}

static double magnitudes_added(const struct elements *elements)
{
    double result = 0.0;

    for (size_t i = 0; i < elements->count; i++) {
        result += fabs((double)elements->terms[i]);
    }
    return result;
}

/* Computes such a mistake; 0 if it cannot be judged. */
static int altered(const struct oracle_problem *problem, bool is_of_maximum,
                   result_function *result, double *out_values)
{
    const struct elements elements = elements_of(problem);

    if (elements.is_maximum != is_of_maximum) {
        return 0;
    }
    out_values[0] = result(&elements);
    return out_values[0] != right(&elements);
}

/* The list ***********************************************************************************/

/* TAKES(name, times, size, stages, message, hint) and ALTERS(name, is of the maximum, result,
 * message, hint); the more frequent ones first. */
#define NEUTRAL                                                                                    \
    "start with a value that no element is below: INT_MIN, or an element of the input; threads "   \
    "without an element need it too"
#define ROUND_UP "round up: (n + threads - 1) / threads blocks"
#define HALVES                                                                                     \
    "the first step joins the second half to the first: begin with half the size, "                \
    "threads / 2 in a block, 16 lanes in a warp"
#define WARPS                                                                                      \
    "shuffles join the lanes of one warp: let lane 0 of each warp write to shared memory, and "    \
    "join those"
#define BLOCKS                                                                                     \
    "let each block write its own partial result, out[blockIdx.x], and join those in another "     \
    "launch"
#define STAGES                                                                                     \
    "one block of T threads joins T partial results, if each thread takes one: loop over more, "   \
    "or launch again until one is left"
#define STRIDE                                                                                     \
    "all threads of the grid share the elements: the step of the loop is gridDim.x * blockDim.x"
#define TREE "let the threads of a block join their elements, step by step"

#define LAST "indices run up to n - 1: a thread has an element if i < n"
#define LAST_STEP                                                                                  \
    "the last step joins two elements: the loop over halves runs while half > 0, not half > 1"

#define FOR_BLOCK(threads)                                                                         \
    TAKES(rest_after_##threads, whole_blocks, threads, ONE_STAGE,                                  \
          "the elements after the last whole block of " #threads " are missing", ROUND_UP)         \
    TAKES(rests_after_##threads, whole_blocks_or_one, threads, ROUNDED_DOWN,                       \
          "the elements after the last whole block of " #threads " are missing", ROUND_UP)         \
    TAKES(odd_missing_in_##threads, every_second, threads, EACH_STAGE,                             \
          "every second element is missing", LAST_STEP)                                            \
    TAKES(half_of_##threads, first_half, threads, ONE_STAGE,                                       \
          "the second half of each " #threads " elements is missing", HALVES)                      \
    TAKES(halves_of_##threads, first_half, threads, EACH_STAGE,                                    \
          "the second half of each " #threads " elements is missing", HALVES)                      \
    TAKES(last_missing_in_##threads, without_last, threads, EACH_STAGE,                            \
          "the last element is missing", LAST)                                                     \
    TAKES(last_block_of_##threads, last_block, threads, ONE_STAGE,                                 \
          "the result is that of the last block of " #threads " elements alone", BLOCKS)           \
    TAKES(first_of_each_##threads, first_of_each, threads, ONE_STAGE,                              \
          "of each " #threads " elements only the first is taken", TREE)                           \
    TAKES(again_by_blocks_of_##threads, once_a_block, threads, ONE_STAGE,                          \
          "each element is taken by its own block of " #threads                                    \
          ", and again by each block before it",                                                   \
          STRIDE)

#define FOR_LARGER_BLOCK(threads)                                                                  \
    FOR_BLOCK(threads)                                                                             \
    TAKES(first_warp_of_##threads, first_warp, threads, ONE_STAGE,                                 \
          "of each " #threads " elements only the first 32 are taken, one warp", WARPS)            \
    TAKES(first_warps_of_##threads, first_warp, threads, EACH_STAGE,                               \
          "of each " #threads " elements only the first 32 are taken, one warp", WARPS)

#define ENDS(size, hint)                                                                           \
    TAKES(first_##size, beginning, size, ONE_STAGE, "only the first " #size " elements are taken", \
          hint)

#define MISTAKES                                                                                   \
    ALTERS(maximum_from_zero, true, never_negative,                                                \
           "the result is 0 where all elements are negative", NEUTRAL)                             \
    TAKES(last_missing, without_last, 0, ONE_STAGE, "the last element is missing",                 \
          "indices run up to n - 1: a thread has an element if i < n")                             \
    TAKES(first_missing, without_first, 0, ONE_STAGE, "the first element is missing",              \
          "indices start at 0")                                                                    \
    TAKES(nothing_joined, first_alone, 0, ONE_STAGE,                                               \
          "the result is element 0 alone: nothing is joined to it", TREE)                          \
    TAKES(odd_missing, every_second, 0, ONE_STAGE, "every second element is missing",              \
          "the last step joins two: the loop over halves runs while half > 0, not half > 1")       \
    TAKES(added_twice, all_twice, 0, ONE_STAGE, "every element is added twice",                    \
          "take each element in one thread only, and each partial result once")                    \
    TAKES(first_added_twice, first_twice, 0, ONE_STAGE, "element 0 is added twice",                \
          "a sum that starts with element 0 goes on with element 1; or start with 0")              \
    FOR_BLOCK(32)                                                                                  \
    FOR_LARGER_BLOCK(256)                                                                          \
    FOR_LARGER_BLOCK(128)                                                                          \
    FOR_LARGER_BLOCK(512)                                                                          \
    FOR_LARGER_BLOCK(1024)                                                                         \
    FOR_BLOCK(64)                                                                                  \
    ENDS(32, BLOCKS)                                                                               \
    ENDS(64, BLOCKS)                                                                               \
    ENDS(128, BLOCKS)                                                                              \
    ENDS(256, BLOCKS)                                                                              \
    ENDS(512, BLOCKS)                                                                              \
    ENDS(1024, BLOCKS)                                                                             \
    ENDS(4096, STAGES)                                                                             \
    ENDS(8192, STAGES)                                                                             \
    ENDS(16384, STAGES)                                                                            \
    ENDS(32768, STAGES)                                                                            \
    ENDS(65536, STAGES)                                                                            \
    ENDS(131072, STAGES)                                                                           \
    ENDS(262144, STAGES)                                                                           \
    ENDS(524288, STAGES)                                                                           \
    ENDS(1048576, STAGES)                                                                          \
    ENDS(2097152, STAGES)                                                                          \
    ALTERS(minimum, true, smallest, "the result is the smallest element",                          \
           "keep the larger of two")                                                               \
    ALTERS(maximum_of_magnitudes, true, largest_magnitude, "signs are left out",                   \
           "compare the elements themselves")                                                      \
    ALTERS(maximum_in_float, true, rounded_to_float, "the result is rounded to a float",           \
           "keep int from start to end: a float holds only 24 bits of it")                         \
    ALTERS(sum_for_maximum, true, added, "the elements are added", "keep the larger of two")       \
    ALTERS(maximum_for_sum, false, largest_term, "the result is the largest element",              \
           "add the elements")                                                                     \
    ALTERS(mean_for_sum, false, mean, "the result is the mean", "do not divide by n")              \
    ALTERS(sum_of_magnitudes, false, magnitudes_added, "signs are left out: magnitudes are added", \
           "add the elements themselves")                                                          \
    TAKES(last_only, last_alone, 0, ONE_STAGE, "the result is the last element alone",             \
          "all threads write to the same place, so that the last one wins: join their elements")

#define TAKES(name, times, size, stages, message, hint)                                            \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        const struct taking taking = {times, size, stages};                                        \
        return taken(problem, &taking, out_values);                                                \
    }
#define ALTERS(name, is_of_maximum, result, message, hint)                                         \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return altered(problem, is_of_maximum, result, out_values);                                \
    }
MISTAKES
#undef TAKES
#undef ALTERS

#define TAKES(name, times, size, stages, message, hint) {#name, message, hint, compute_##name},
#define ALTERS(name, is_of_maximum, result, message, hint) {#name, message, hint, compute_##name},
static const struct oracle_mistake mistakes[] = {MISTAKES};
#undef TAKES
#undef ALTERS

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
