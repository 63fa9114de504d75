/* oracle.c: how often each value occurs, and what well-known mistakes make of it.
 *
 * A mistake is not judged where it changes nothing. Those that depend on how many values a block
 * has, or how many bins it adds, are there once for each usual number.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BINS = 256 };

/* Adds values first, first + step, ... of the input, before `end`, to the bins. */
static void count_some(const struct oracle_problem *problem, size_t first, size_t end, size_t step,
                       double *bins)
{
    const uint8_t *in = problem->inputs[0];
    for (size_t i = first; i < end; i += step) {
        bins[in[i]]++;
    }
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    (void)out_magnitudes;
    count_some(problem, 0, problem->input_counts[0], 1, out_expected);
}

/* Each bin is about all values. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)element;
    for (size_t i = 0; i < problem->input_counts[0] && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return problem->input_counts[0];
}

/* Mistakes ***********************************************************************************/

/* Makes what is written of the right bins; NaN: the bin is never written. `number` is that of
 * mistakes that come with several. */
typedef void mistake_function(const struct oracle_problem *problem, size_t number, double *bins);

static void last_value(const struct oracle_problem *problem, size_t number, double *bins)
{
    const uint8_t *in = problem->inputs[0];
    (void)number;
    bins[in[problem->input_counts[0] - 1]]--;
}

static void first_value(const struct oracle_problem *problem, size_t number, double *bins)
{
    const uint8_t *in = problem->inputs[0];
    (void)number;
    bins[in[0]]--;
}

static void twice(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    for (size_t bin = 0; bin < BINS; bin++) {
        bins[bin] *= 2;
    }
}

static void ones(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    for (size_t bin = 0; bin < BINS; bin++) {
        bins[bin] = bins[bin] > 0;
    }
}

static void bin_after(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    memmove(bins + 1, bins, (BINS - 1) * sizeof *bins);
    bins[0] = 0;
}

static void bins_added_up(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    for (size_t bin = 1; bin < BINS; bin++) {
        bins[bin] += bins[bin - 1];
    }
}

static void upper_half_zero(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    for (size_t bin = BINS / 2; bin < BINS; bin++) {
        bins[bin] = 0;
    }
}

static void signed_wraps(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    for (size_t bin = 0; bin < BINS / 2; bin++) {
        bins[bin] += bins[bin + BINS / 2];
        bins[bin + BINS / 2] = 0;
    }
}

static void first_bin_zero(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    bins[0] = 0;
}

static void last_bin_zero(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    bins[BINS - 1] = 0;
}

static void last_bin_unwritten(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    bins[BINS - 1] = NAN;
}

static void last_bin_before(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem, (void)number;
    bins[BINS - 2] += bins[BINS - 1];
    bins[BINS - 1] = 0;
}

/* Bins from a number on. */
static void bins_zero(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem;
    for (size_t bin = number; bin < BINS; bin++) {
        bins[bin] = 0;
    }
}

static void bins_unwritten(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem;
    for (size_t bin = number; bin < BINS; bin++) {
        bins[bin] = NAN;
    }
}

/* Values after the last whole block. */
static void rest_missing(const struct oracle_problem *problem, size_t number, double *bins)
{
    const size_t n = problem->input_counts[0];
    memset(bins, 0, BINS * sizeof *bins);
    count_some(problem, 0, n - n % number, 1, bins);
}

static void first_block_only(const struct oracle_problem *problem, size_t number, double *bins)
{
    const size_t n = problem->input_counts[0];
    memset(bins, 0, BINS * sizeof *bins);
    count_some(problem, 0, n < number ? n : number, 1, bins);
}

/* Each block counts the values of the first one. */
static void same_block_again(const struct oracle_problem *problem, size_t number, double *bins)
{
    const size_t n = problem->input_counts[0], blocks = (n + number - 1) / number;
    memset(bins, 0, BINS * sizeof *bins);
    count_some(problem, 0, n < number ? n : number, 1, bins);
    for (size_t bin = 0; bin < BINS; bin++) {
        bins[bin] *= (double)blocks;
    }
}

/* Blocks of `threads` threads have several values for each, and count one. */
static void one_a_thread(const struct oracle_problem *problem, size_t threads, size_t values,
                         double *bins)
{
    const size_t n = problem->input_counts[0];
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t first = 0; first < n; first += threads * values) {
        count_some(problem, first, n - first < threads ? n : first + threads, 1, bins);
    }
}

/* Each thread counts the first of its values only. */
static void every_so_many(const struct oracle_problem *problem, size_t number, double *bins)
{
    memset(bins, 0, BINS * sizeof *bins);
    count_some(problem, 0, problem->input_counts[0], number, bins);
}

/* The counts of all blocks, modulo the number. */
static void wraps(const struct oracle_problem *problem, size_t number, double *bins)
{
    (void)problem;
    for (size_t bin = 0; bin < BINS; bin++) {
        bins[bin] = fmod(bins[bin], (double)number);
    }
}

/* 0 if a mistake cannot be judged. */
static int is_mistaken(const struct oracle_problem *problem, const double *values)
{
    double right[BINS] = {0};
    bool differs = false, says_something = false;

    count_some(problem, 0, problem->input_counts[0], 1, right);
    for (size_t bin = 0; bin < BINS; bin++) {
        differs = differs || !(values[bin] == right[bin]);
        says_something = says_something || values[bin] > 0;
    }
    return differs && says_something;
}

static int mistaken(const struct oracle_problem *problem, mistake_function *mistake, size_t number,
                    double *out_values)
{
    count_some(problem, 0, problem->input_counts[0], 1, out_values);
    mistake(problem, number, out_values);
    return is_mistaken(problem, out_values);
}

/* ROW(name, message, hint) */
#define PLAIN(ROW)                                                                                 \
    ROW(last_value, "the last value is never counted",                                             \
        "indices run up to n - 1, which counts too")                                               \
    ROW(first_value, "the first value is never counted", "indices start from 0")                   \
    ROW(twice, "every value is counted twice",                                                     \
        "look for values that two threads count, and for "                                         \
        "counts that are added to the result twice")                                               \
    ROW(ones, "every bin that occurs is 1: additions replace each other",                          \
        "a bin grows by one for each value: use atomicAdd")                                        \
    ROW(bin_after, "every count is one bin too far", "value v belongs to bin v")                   \
    ROW(bins_added_up, "each bin also holds the counts of all bins before it",                     \
        "a bin counts one value only")                                                             \
    ROW(upper_half_zero, "bins from 128 on stay 0",                                                \
        "values go up to 255, which a signed char does not hold; and if a block has 128 threads, " \
        "each of them adds two bins")                                                              \
    ROW(signed_wraps, "values from 128 on are counted in the bin 128 below",                       \
        "a value has 8 bits, from 0 to 255")                                                       \
    ROW(first_bin_zero, "value 0 is never counted", "bin 0 belongs to the histogram too")          \
    ROW(last_bin_zero, "value 255 is never counted", "there are 256 bins, from 0 to 255")          \
    ROW(last_bin_unwritten, "bin 255 is never written", "there are 256 bins, from 0 to 255")       \
    ROW(last_bin_before, "value 255 is counted in bin 254", "there are 256 bins, from 0 to 255")

/* ROW(name, number, message, hint) */
#define BINS_HINT                                                                                  \
    "a block may have fewer threads than there are bins: then each thread adds several, in a loop"
#define OF_THREADS(ROW, threads)                                                                   \
    ROW(bins_zero, threads, "bins from " #threads " on stay 0", BINS_HINT)                         \
    ROW(bins_unwritten, threads, "bins from " #threads " on are never written", BINS_HINT)
#define OF_PART(ROW, part)                                                                         \
    ROW(rest_missing, part,                                                                        \
        "the values after the last whole group of " #part " are never counted",                    \
        "n need not be a multiple of " #part ": count the rest too")
#define OF_BLOCK(ROW, block)                                                                       \
    OF_PART(ROW, block)                                                                            \
    ROW(first_block_only, block, "only the first " #block " values are counted",                   \
        "each block counts another part of the values: use blockIdx.x in the index")               \
    ROW(same_block_again, block, "every block counts the first " #block " values",                 \
        "each block counts another part of the values: use blockIdx.x in the index")
#define OF_GRID(ROW, values)                                                                       \
    ROW(first_block_only, values, "only the first " #values " values are counted",                 \
        "n is up to 2^22: launch enough blocks for all values, or let each go on in a loop")
#define OF_THREAD(ROW, values)                                                                     \
    OF_PART(ROW, values)                                                                           \
    ROW(every_so_many, values, "only every " #values "th value is counted",                        \
        "a thread that is given " #values " values counts all of them")
#define NUMBERED(ROW)                                                                              \
    OF_THREADS(ROW, 32)                                                                            \
    OF_THREADS(ROW, 64)                                                                            \
    ROW(bins_unwritten, 128, "bins from 128 on are never written", BINS_HINT)                      \
    OF_THREADS(ROW, 192)                                                                           \
    OF_THREAD(ROW, 4)                                                                              \
    OF_THREAD(ROW, 8)                                                                              \
    OF_THREAD(ROW, 16)                                                                             \
    OF_BLOCK(ROW, 32)                                                                              \
    OF_BLOCK(ROW, 64)                                                                              \
    OF_BLOCK(ROW, 128)                                                                             \
    OF_BLOCK(ROW, 256)                                                                             \
    OF_BLOCK(ROW, 512)                                                                             \
    OF_BLOCK(ROW, 1024)                                                                            \
    OF_BLOCK(ROW, 2048)                                                                            \
    OF_BLOCK(ROW, 4096)                                                                            \
    OF_BLOCK(ROW, 8192)                                                                            \
    OF_GRID(ROW, 16384)                                                                            \
    OF_GRID(ROW, 32768)                                                                            \
    OF_GRID(ROW, 65536)                                                                            \
    OF_GRID(ROW, 131072)                                                                           \
    OF_GRID(ROW, 262144)                                                                           \
    OF_GRID(ROW, 524288)                                                                           \
    OF_GRID(ROW, 1048576)                                                                          \
    OF_GRID(ROW, 2097152)                                                                          \
    ROW(wraps, 256, "counts are right modulo 256 only", "a counter needs more than 8 bits")        \
    ROW(wraps, 65536, "counts are right modulo 65536 only", "a counter needs more than 16 bits")

/* ROW(threads, values) */
#define OF_SHAPE(ROW, threads)                                                                     \
    ROW(threads, 2)                                                                                \
    ROW(threads, 4)                                                                                \
    ROW(threads, 8)                                                                                \
    ROW(threads, 16)                                                                               \
    ROW(threads, 32)
#define SHAPES(ROW)                                                                                \
    OF_SHAPE(ROW, 128)                                                                             \
    OF_SHAPE(ROW, 256)                                                                             \
    OF_SHAPE(ROW, 512)                                                                             \
    OF_SHAPE(ROW, 1024)

#define COMPUTE_SHAPE(threads, values)                                                             \
    static int compute_##threads##_threads_##values(const struct oracle_problem *problem,          \
                                                    double *out_values)                            \
    {                                                                                              \
        one_a_thread(problem, threads, values, out_values);                                        \
        return is_mistaken(problem, out_values);                                                   \
    }
SHAPES(COMPUTE_SHAPE)
#undef COMPUTE_SHAPE

#define COMPUTE(name, message, hint)                                                               \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken(problem, name, 0, out_values);                                             \
    }
#define COMPUTE_NUMBERED(name, number, message, hint)                                              \
    static int compute_##name##_##number(const struct oracle_problem *problem, double *out_values) \
    {                                                                                              \
        return mistaken(problem, name, number, out_values);                                        \
    }
PLAIN(COMPUTE)
NUMBERED(COMPUTE_NUMBERED)
#undef COMPUTE
#undef COMPUTE_NUMBERED

#define MISTAKE(name, message, hint) {#name, message, hint, compute_##name},
#define MISTAKE_NUMBERED(name, number, message, hint)                                              \
    {#name "_" #number, message, hint, compute_##name##_##number},
#define MISTAKE_SHAPE(threads, values)                                                             \
    {#threads "_threads_" #values,                                                                 \
     "each of " #threads " threads counts one of its " #values " values",                          \
     "a block has more values than threads: each thread goes on in a loop, by the number of "      \
     "threads",                                                                                    \
     compute_##threads##_threads_##values},
static const struct oracle_mistake mistakes[] = {PLAIN(MISTAKE) NUMBERED(MISTAKE_NUMBERED)
                                                     SHAPES(MISTAKE_SHAPE)};
#undef MISTAKE_SHAPE
#undef MISTAKE
#undef MISTAKE_NUMBERED

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .needs = needs,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
};
