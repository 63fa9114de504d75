/* oracle.c: the keys in order, and what well-known mistakes make of them.
 *
 * Mistakes are of three kinds: keys are compared in a wrong way, only parts of the array are
 * sorted, or steps of a bitonic sort are wrong. The last kind is played step by step. A mistake is
 * not judged where it changes nothing.
 */
#include "model/oracle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N }; /* parameters, in the order of the rubric */

typedef int order_function(const void *left, const void *right);

static int compare(uint32_t left, uint32_t right)
{
    return (left > right) - (left < right);
}

static int ascending(const void *left, const void *right)
{
    return compare(*(const uint32_t *)left, *(const uint32_t *)right);
}

static int descending(const void *left, const void *right)
{
    return ascending(right, left);
}

/* Numbers with a sign: those from 2^31 on are negative. */
static int with_sign(const void *left, const void *right)
{
    const uint32_t sign = 0x80000000u;

    return compare(*(const uint32_t *)left ^ sign, *(const uint32_t *)right ^ sign);
}

static void to_numbers(const uint32_t *keys, size_t count, double *out_values)
{
    for (size_t i = 0; i < count; i++) {
        out_values[i] = keys[i];
    }
}

/* A copy of the keys with room for some more; NULL if there is no memory. */
static uint32_t *copy_keys(const struct oracle_problem *problem, size_t room)
{
    const size_t count = problem->output_count;
    uint32_t *keys = calloc(count + room, sizeof *keys);

    if (keys != NULL) {
        memcpy(keys, problem->inputs[0], count * sizeof *keys);
    }
    return keys;
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    uint32_t *keys = copy_keys(problem, 0);

    (void)out_magnitudes;
    if (keys != NULL) {
        qsort(keys, problem->output_count, sizeof *keys, ascending);
        to_numbers(keys, problem->output_count, out_expected);
    }
    free(keys);
}

/* Takes the keys of a mistake as its values: 1 if they are not in order. Frees the keys. */
static int finish(const struct oracle_problem *problem, uint32_t *keys, double *out_values)
{
    double *right = calloc(problem->output_count, sizeof *right);
    int differs = 0;

    if (right != NULL && keys != NULL) {
        expect(problem, right, NULL);
        to_numbers(keys, problem->output_count, out_values);
        differs = memcmp(out_values, right, problem->output_count * sizeof *right) != 0;
    }
    free(right);
    free(keys);
    return differs;
}

/* The first power of two that is `count` or more. */
static size_t power_from(size_t count)
{
    size_t power = 1;

    while (power < count) {
        power *= 2;
    }
    return power;
}

/* Parts that are sorted alone ****************************************************************/

/* Sorts each run of `run` keys from `first` on, up to `end`. */
static int sorted_in_runs(const struct oracle_problem *problem, order_function *order, size_t first,
                          size_t end, size_t run, double *out_values)
{
    uint32_t *keys = copy_keys(problem, 0);

    for (size_t i = first; i < end && keys != NULL; i += run) {
        qsort(keys + i, end - i < run ? end - i : run, sizeof *keys, order);
    }
    return finish(problem, keys, out_values);
}

static int all_sorted(const struct oracle_problem *problem, order_function *order,
                      double *out_values)
{
    const size_t count = problem->output_count;

    return sorted_in_runs(problem, order, 0, count, count, out_values);
}

static int compute_as_it_was(const struct oracle_problem *problem, double *out_values)
{
    return finish(problem, copy_keys(problem, 0), out_values);
}

static int compute_descending(const struct oracle_problem *problem, double *out_values)
{
    return all_sorted(problem, descending, out_values);
}

static int compute_with_sign(const struct oracle_problem *problem, double *out_values)
{
    return all_sorted(problem, with_sign, out_values);
}

static int compute_without_first(const struct oracle_problem *problem, double *out_values)
{
    const size_t count = problem->output_count;

    return sorted_in_runs(problem, ascending, 1, count, count, out_values);
}

static int compute_without_last(const struct oracle_problem *problem, double *out_values)
{
    const size_t count = problem->output_count;

    return sorted_in_runs(problem, ascending, 0, count - 1, count, out_values);
}

static int compute_power_only(const struct oracle_problem *problem, double *out_values)
{
    const size_t count = problem->output_count;
    const size_t power = power_from(count + 1) / 2;

    return sorted_in_runs(problem, ascending, 0, power, power, out_values);
}

/* Keys that are lost *************************************************************************/

/* Sorts the keys with padding up to the next power of two, of which the first n are taken. */
static int padded_with(const struct oracle_problem *problem, uint32_t padding, double *out_values)
{
    const size_t count = problem->output_count;
    const size_t all = power_from(count);
    uint32_t *keys = copy_keys(problem, all - count);

    if (keys != NULL) {
        for (size_t i = count; i < all; i++) {
            keys[i] = padding;
        }
        qsort(keys, all, sizeof *keys, ascending);
    }
    return finish(problem, keys, out_values);
}

static int compute_padded_with_zeros(const struct oracle_problem *problem, double *out_values)
{
    return padded_with(problem, 0, out_values);
}

static int compute_padded_with_int_max(const struct oracle_problem *problem, double *out_values)
{
    return padded_with(problem, 0x7fffffffu, out_values);
}

/* Numbers with a sign: the padding comes after the numbers below it, and before none. */
static int compute_sign_and_minus_one(const struct oracle_problem *problem, double *out_values)
{
    const size_t count = problem->output_count;
    const size_t all = power_from(count);
    uint32_t *keys = copy_keys(problem, all - count);

    if (keys != NULL) {
        for (size_t i = count; i < all; i++) {
            keys[i] = 0xffffffffu;
        }
        qsort(keys, all, sizeof *keys, with_sign);
    }
    return finish(problem, keys, out_values);
}

/* Parts of the bits **************************************************************************/

/* What decides about a key, and its place before, so that equal ones keep their order. */
struct part {
    uint32_t bits, place;
};

static int by_part(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    const int order = compare(a->bits, b->bits);

    return order != 0 ? order : compare(a->place, b->place);
}

/* Sorts by some of the bits; equal ones stay in order, as in a radix sort. */
static int sorted_by_bits(const struct oracle_problem *problem, uint32_t mask, double *out_values)
{
    const size_t count = problem->output_count;
    const uint32_t *before = problem->inputs[0];
    uint32_t *keys = copy_keys(problem, 0);
    struct part *parts = calloc(count, sizeof *parts);

    if (keys != NULL && parts != NULL) {
        for (size_t i = 0; i < count; i++) {
            parts[i] = (struct part){before[i] & mask, (uint32_t)i};
        }
        qsort(parts, count, sizeof *parts, by_part);
        for (size_t i = 0; i < count; i++) {
            keys[i] = before[parts[i].place];
        }
    }
    free(parts);
    return finish(problem, keys, out_values);
}

/* Bitonic sorts ******************************************************************************/

enum bitonic_mistake {
    LAST_MERGE_MISSING,
    LAST_STEP_MISSING,  /* of each merge: the one with distance 1 */
    FIRST_STEP_MISSING, /* of each merge: the one with the largest distance */
    ONE_DIRECTION,
    LAST_PAIR_MISSING,
    NOT_PADDED
};

struct step {
    size_t all, run, distance;
};

/* The pairs of one step, whose upper key is before `end`. */
static void play_step(uint32_t *keys, const struct step *step, enum bitonic_mistake mistake,
                      size_t end)
{
    const size_t pairs = step->all / 2 - (mistake == LAST_PAIR_MISSING ? 1 : 0);

    for (size_t pair = 0; pair < pairs; pair++) {
        const size_t lower = pair / step->distance * (2 * step->distance) + pair % step->distance;
        const size_t upper = lower + step->distance;
        const bool is_ascending = mistake == ONE_DIRECTION || (lower & step->run) == 0;
        if (upper >= end || (keys[lower] > keys[upper]) != is_ascending) {
            continue;
        }
        const uint32_t key = keys[lower];
        keys[lower] = keys[upper];
        keys[upper] = key;
    }
}

/* A bitonic sort of the next power of two with one mistake. */
static int bitonic_with(const struct oracle_problem *problem, enum bitonic_mistake mistake,
                        double *out_values)
{
    const size_t count = problem->output_count;
    const size_t all = count < 2 ? 2 : power_from(count);
    const size_t last_run = mistake == LAST_MERGE_MISSING ? all / 2 : all;
    const size_t last_distance = mistake == LAST_STEP_MISSING ? 2 : 1;
    uint32_t *keys = copy_keys(problem, all - count);

    if (keys == NULL) {
        return 0;
    }
    for (size_t i = count; i < all; i++) {
        keys[i] = 0xffffffffu;
    }
    for (size_t run = 2; run <= last_run; run *= 2) {
        size_t distance = run / (mistake == FIRST_STEP_MISSING ? 4 : 2);
        for (; distance >= last_distance; distance /= 2) {
            const struct step step = {all, run, distance};
            play_step(keys, &step, mistake, mistake == NOT_PADDED ? count : all);
        }
    }
    return finish(problem, keys, out_values);
}

/* The table **********************************************************************************/

/* RUN(size): each run of so many keys is sorted alone. Both orders of blocks with one or two keys a
 * thread. */
#define RUNS(RUN) RUN(64) RUN(128) RUN(256) RUN(512) RUN(1024) RUN(2048)

#define COMPUTE_RUN(size)                                                                          \
    static int compute_runs_of_##size(const struct oracle_problem *problem, double *out_values)    \
    {                                                                                              \
        return sorted_in_runs(problem, ascending, 0, problem->output_count, size, out_values);     \
    }
RUNS(COMPUTE_RUN)
#undef COMPUTE_RUN

/* FIRST(count): so many keys are sorted, those of one block. With steps between neighbours, the
 * last pair may begin at the last one of them. */
#define FIRSTS(FIRST)                                                                              \
    FIRST(256) FIRST(257) FIRST(512) FIRST(513) FIRST(1024) FIRST(1025) FIRST(2048) FIRST(2049)

#define COMPUTE_FIRST(count)                                                                       \
    static int compute_first_##count(const struct oracle_problem *problem, double *out_values)     \
    {                                                                                              \
        const size_t all = problem->output_count;                                                  \
        return sorted_in_runs(problem, ascending, 0, all < (count) ? all : (count), count,         \
                              out_values);                                                         \
    }
FIRSTS(COMPUTE_FIRST)
#undef COMPUTE_FIRST

/* BITS(name, mask, words) */
#define MASKS(BITS)                                                                                \
    BITS(low_31, 0x7fffffffu, "the lower 31 bits", "the highest bit counts, too: a key has 32")    \
    BITS(low_28, 0x0fffffffu, "the lower 28 bits", "go on up to the highest of 32 bits")           \
    BITS(low_24, 0x00ffffffu, "the lower 24 bits", "go on up to the highest of 32 bits")           \
    BITS(low_16, 0x0000ffffu, "the lower 16 bits", "go on up to the highest of 32 bits")           \
    BITS(low_8, 0x000000ffu, "the lower 8 bits", "go on up to the highest of 32 bits")             \
    BITS(low_1, 0x00000001u, "the lowest bit", "go on up to the highest of 32 bits")               \
    BITS(but_lowest, 0xfffffffeu, "all bits but the lowest", "begin with bit 0")                   \
    BITS(high_16, 0xffff0000u, "the higher 16 bits", "begin with bit 0")

#define COMPUTE_BITS(name, mask, words, hint)                                                      \
    static int compute_bits_##name(const struct oracle_problem *problem, double *out_values)       \
    {                                                                                              \
        return sorted_by_bits(problem, mask, out_values);                                          \
    }
MASKS(COMPUTE_BITS)
#undef COMPUTE_BITS

/* BITONIC(name, mistake, message, hint) */
#define BITONICS(BITONIC)                                                                          \
    BITONIC(last_merge, LAST_MERGE_MISSING,                                                        \
            "the last merge is missing: one half is ascending, the other one descending",          \
            "the last run has all keys: run <= the padded number of keys")                         \
    BITONIC(last_step, LAST_STEP_MISSING, "the step with distance 1 is missing in each merge",     \
            "go on while distance > 0")                                                            \
    BITONIC(first_step, FIRST_STEP_MISSING,                                                        \
            "the step with the largest distance is missing in each merge",                         \
            "the first distance of a merge is run / 2")                                            \
    BITONIC(                                                                                       \
        one_direction, ONE_DIRECTION,                                                              \
        "both runs of a merge are sorted the same way, so they are no bitonic sequence",           \
        "sort the second, fourth, ... run descending: where (index of the key & run) is not 0")    \
    BITONIC(last_pair, LAST_PAIR_MISSING, "in each step the last pair is left out",                \
            "n keys make n / 2 pairs, from 0 to n / 2 - 1")                                        \
    BITONIC(not_padded, NOT_PADDED,                                                                \
            "pairs whose second key lies past the end are left out of a bitonic sort",             \
            "pad the keys to a power of two with 0xffffffff: in a descending run, a key that is "  \
            "missing must move to the front")

#define COMPUTE_BITONIC(name, mistake, message, hint)                                              \
    static int compute_bitonic_##name(const struct oracle_problem *problem, double *out_values)    \
    {                                                                                              \
        return bitonic_with(problem, mistake, out_values);                                         \
    }
BITONICS(COMPUTE_BITONIC)
#undef COMPUTE_BITONIC

#define MISTAKE_RUN(size)                                                                          \
    {"runs_of_" #size, "each run of " #size " keys is sorted by itself, and they are not merged",  \
     "keys must get from any block to any other one: go on with steps between blocks",             \
     compute_runs_of_##size},
#define MISTAKE_FIRST(count)                                                                       \
    {"first_" #count, "only the first " #count " keys are sorted",                                 \
     "one block does not reach the other keys: launch as many blocks as n needs",                  \
     compute_first_##count},
#define MISTAKE_BITS(name, mask, words, hint)                                                      \
    {"bits_" #name, "keys are sorted by " words " only", hint, compute_bits_##name},
#define MISTAKE_BITONIC(name, mistake, message, hint)                                              \
    {"bitonic_" #name, message, hint, compute_bitonic_##name},

/* The more frequent ones first, and before those that give the same in some cases. */
static const struct oracle_mistake mistakes[] = {
    {"as_it_was", "the keys are as they were", "copy the sorted keys to d_keys", compute_as_it_was},
    {"descending", "the largest key comes first",
     "the smallest key must come first: swap the "
     "comparison",
     compute_descending},
    {"with_sign", "keys from 2^31 on come first, as if they were negative",
     "compare keys as unsigned int, not as int", compute_with_sign},
    {"power_only", "only the first keys are sorted, up to the largest power of two",
     "round the number of keys up to a power of two, not down", compute_power_only},
    {"without_last", "the last key stays where it was",
     "the last key is key n - 1: does a step "
     "leave it out?",
     compute_without_last},
    {"without_first", "the first key stays where it was",
     "the first key is key 0: does a step "
     "leave it out?",
     compute_without_first},
    {"padded_with_zeros", "zeros of the padding are among the keys, and the largest keys are lost",
     "pad with the largest key, 0xffffffff: then the padding ends after all keys",
     compute_padded_with_zeros},
    {"padded_with_int_max", "keys above 0x7fffffff are lost, and 0x7fffffff comes in their place",
     "pad with the largest unsigned key, 0xffffffff, not INT_MAX", compute_padded_with_int_max},
    {"sign_and_minus_one", "keys are compared as if they had a sign, so the padding comes early",
     "compare keys as unsigned int, not as int", compute_sign_and_minus_one},
    RUNS(MISTAKE_RUN) FIRSTS(MISTAKE_FIRST) BITONICS(MISTAKE_BITONIC) MASKS(MISTAKE_BITS)};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
};
