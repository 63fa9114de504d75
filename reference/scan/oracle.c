/* oracle.c: what a scan and a compaction must give, and what well-known mistakes make of them.
 *
 *   exclusiveScan     out[i] = in[0] + ... + in[i - 1], modulo 2^32
 *   compactPositive   count = how many elements are above 0; out = those, in order
 *
 * A mistake of the scan says what one element becomes. What a mistake at the border of blocks gives
 * depends on how many elements a block has, which is the student's choice: so there is one for each
 * usual number. The first output of compactPositive is the count, so its mistakes are those of the
 * count. A mistake is not judged where it changes nothing.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_scan(const struct oracle_problem *problem)
{
    return strcmp(problem->launch, "scan") == 0 || strcmp(problem->launch, "naive-scan") == 0;
}

/* The right result ***************************************************************************/

/* As an int wraps around. */
static double wrapped(uint32_t sum)
{
    return sum <= INT32_MAX ? (double)sum : (double)sum - 4294967296.0;
}

static void expect_scan(const int32_t *in, size_t n, double *out)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = wrapped(sum);
        sum += (uint32_t)in[i];
    }
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    (void)out_magnitudes;
    expect_scan(problem->inputs[0], problem->output_count, out_expected);
}

static void expect_all(const struct oracle_problem *problem, void *const *out_expected,
                       double *const *out_magnitudes)
{
    const int32_t *in = problem->inputs[0];
    const size_t n = problem->input_counts[0];
    size_t count = 0;

    (void)out_magnitudes;
    if (is_scan(problem)) {
        expect_scan(in, n, out_expected[0]);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (in[i] > 0) {
            ((double *)out_expected[1])[count++] = in[i];
        }
    }
    *(double *)out_expected[0] = (double)count;
}

/* All elements before one. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t i = 0; i < element && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return element;
}

/* Mistakes of the scan ***********************************************************************/

/* A scan, and all right sums. */
struct scanned {
    const int32_t *in;
    const uint32_t *before; /* [n + 1], the right sums; the last is that of all */
    size_t n;
};

static double sum_of(const struct scanned *scanned, size_t first, size_t end)
{
    return wrapped(scanned->before[end] - scanned->before[first]);
}

/* What one element becomes; `block` is how many elements a block has, of mistakes where that
 * matters. NaN: it is never written. */
typedef double element_function(const struct scanned *scanned, size_t i, size_t block);

static double inclusive(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return sum_of(scanned, 0, i + 1);
}

static double shifted(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return i == 0 ? 0 : scanned->in[i - 1];
}

static double copied(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return scanned->in[i];
}

static double backwards(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return sum_of(scanned, i + 1, scanned->n);
}

static double one_too_far(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return i == 0 ? 0 : sum_of(scanned, 0, i - 1);
}

static double without_first(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return i == 0 ? NAN : sum_of(scanned, 0, i);
}

static double without_last(const struct scanned *scanned, size_t i, size_t block)
{
    (void)block;
    return i + 1 == scanned->n ? NAN : sum_of(scanned, 0, i);
}

/* The first element of the block. */
static size_t start_of(size_t i, size_t block)
{
    return i - i % block;
}

static double restarts(const struct scanned *scanned, size_t i, size_t block)
{
    return sum_of(scanned, start_of(i, block), i);
}

static double restarts_inclusive(const struct scanned *scanned, size_t i, size_t block)
{
    return sum_of(scanned, start_of(i, block), i + 1);
}

static double block_before_only(const struct scanned *scanned, size_t i, size_t block)
{
    const size_t start = start_of(i, block);
    return sum_of(scanned, start < block ? 0 : start - block, i);
}

/* The block adds the sums of the blocks up to its own. */
static double own_sum_added(const struct scanned *scanned, size_t i, size_t block)
{
    const size_t start = start_of(i, block);
    const size_t end = start + block < scanned->n ? start + block : scanned->n;
    return wrapped(scanned->before[i] - scanned->before[start] + scanned->before[end]);
}

/* The block adds the sums of the blocks before the one before it. */
static double one_sum_missing(const struct scanned *scanned, size_t i, size_t block)
{
    const size_t start = start_of(i, block);
    const uint32_t others = start < block ? 0 : scanned->before[start - block];
    return wrapped(scanned->before[i] - scanned->before[start] + others);
}

/* The block adds its own sum, and no other. */
static double own_sum_only(const struct scanned *scanned, size_t i, size_t block)
{
    const size_t start = start_of(i, block);
    const size_t end = start + block < scanned->n ? start + block : scanned->n;
    return wrapped(scanned->before[i] - scanned->before[start] + scanned->before[end] -
                   scanned->before[start]);
}

static double rest_missing(const struct scanned *scanned, size_t i, size_t block)
{
    return i >= start_of(scanned->n, block) ? NAN : sum_of(scanned, 0, i);
}

static double first_block_only(const struct scanned *scanned, size_t i, size_t block)
{
    return i >= block ? NAN : sum_of(scanned, 0, i);
}

/* Computes a mistake of the scan; 0 if it cannot be judged, as where one block is enough. */
static int mistaken_scan(const struct oracle_problem *problem, element_function *element,
                         size_t block, double *out_values)
{
    const size_t n = problem->input_counts[0];
    uint32_t *before = is_scan(problem) && n > block ? malloc((n + 1) * sizeof *before) : NULL;
    struct scanned scanned = {.in = problem->inputs[0], .before = before, .n = n};
    bool differs = false, says_something = false;

    if (before == NULL) {
        return 0;
    }
    before[0] = 0;
    for (size_t i = 0; i < n; i++) {
        before[i + 1] = before[i] + (uint32_t)scanned.in[i];
    }
    for (size_t i = 0; i < n; i++) {
        out_values[i] = element(&scanned, i, block);
        differs = differs || !(out_values[i] == wrapped(before[i]));
        says_something = says_something || out_values[i] != 0.0;
    }
    free(before);
    return differs && says_something;
}

/* Mistakes of the scan of a block, which the scan of the sums of blocks makes again. */
enum rule { INCLUSIVE, ROOT_NOT_CLEARED, LAST_OF_BLOCK_LOST };

/* out[i] = what a scan by blocks gives that is wrong by the rule; false: no memory. */
static bool scan_by_blocks(const uint32_t *in, size_t n, size_t block, enum rule rule,
                           uint32_t *out)
{
    const size_t blocks = (n + block - 1) / block;
    uint32_t *sums = malloc(2 * blocks * sizeof *sums);
    uint32_t *before = sums + blocks;

    if (sums == NULL) {
        return false;
    }
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = b * block;
        const size_t end = n - first < block ? n : first + block;
        uint32_t total = 0, so_far = 0;
        for (size_t i = first; i < end; i++) {
            total += in[i];
        }
        for (size_t i = first; i < end; i++) {
            out[i] = so_far + (rule == INCLUSIVE ? in[i] : rule == ROOT_NOT_CLEARED ? total : 0);
            so_far += in[i];
        }
        const bool is_full = end == first + block;
        sums[b] = rule == LAST_OF_BLOCK_LOST && is_full ? total - in[end - 1] : total;
    }
    bool is_done = blocks == 1 || scan_by_blocks(sums, blocks, block, rule, before);
    for (size_t i = 0; is_done && blocks > 1 && i < n; i++) {
        out[i] += before[i / block];
    }
    free(sums);
    return is_done;
}

/* Computes a mistake of all scans by blocks; 0 if it cannot be judged. */
static int mistaken_blocks(const struct oracle_problem *problem, enum rule rule, size_t block,
                           double *out_values)
{
    const size_t n = problem->input_counts[0];
    uint32_t *in = is_scan(problem) && n > block ? malloc(2 * n * sizeof *in) : NULL;
    uint32_t *out = in == NULL ? NULL : in + n;
    bool differs = false;
    uint32_t sum = 0;

    if (in == NULL) {
        return 0;
    }
    memcpy(in, problem->inputs[0], n * sizeof *in);
    bool is_done = scan_by_blocks(in, n, block, rule, out);
    for (size_t i = 0; is_done && i < n; i++) {
        out_values[i] = wrapped(out[i]);
        differs = differs || out[i] != sum;
        sum += in[i];
    }
    free(in);
    return is_done && differs;
}

/* Mistakes of the count **********************************************************************/

/* What the count becomes. */
typedef double count_function(const int32_t *in, size_t n);

static double kept(const int32_t *in, size_t n)
{
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        count += in[i] > 0;
    }
    return count;
}

static double zeros_too(const int32_t *in, size_t n)
{
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        count += in[i] >= 0;
    }
    return count;
}

static double negative_too(const int32_t *in, size_t n)
{
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        count += in[i] != 0;
    }
    return count;
}

static double all_of_them(const int32_t *in, size_t n)
{
    (void)in;
    return (double)n;
}

static double the_others(const int32_t *in, size_t n)
{
    return (double)n - kept(in, n);
}

static double last_uncounted(const int32_t *in, size_t n)
{
    return kept(in, n - 1);
}

static double one_too_many(const int32_t *in, size_t n)
{
    return kept(in, n - 1) + 1;
}

static double one_above_kept(const int32_t *in, size_t n)
{
    return kept(in, n) + 1;
}

static double count_unwritten(const int32_t *in, size_t n)
{
    (void)in, (void)n;
    return NAN;
}

/* The kept ones are added up, not counted. */
static double values_added(const int32_t *in, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += in[i] > 0 ? (uint32_t)in[i] : 0;
    }
    return wrapped(sum);
}

static int mistaken_count(const struct oracle_problem *problem, count_function *count,
                          double *out_values)
{
    const int32_t *in = problem->inputs[0];
    const size_t n = problem->input_counts[0];

    if (is_scan(problem)) {
        return 0;
    }
    out_values[0] = count(in, n);
    return !(out_values[0] == kept(in, n));
}

/* The count of a block alone; of the first, or of the last. */
static int mistaken_block(const struct oracle_problem *problem, size_t block, bool is_last,
                          double *out_values)
{
    const int32_t *in = problem->inputs[0];
    const size_t n = problem->input_counts[0];
    const size_t first = is_last ? start_of(n - 1, block) : 0;

    if (is_scan(problem)) {
        return 0;
    }
    out_values[0] = kept(in + first, n - first < block ? n - first : block);
    return out_values[0] != kept(in, n);
}

/* The list ***********************************************************************************/

#define SUMS_HINT                                                                                  \
    "scan the sums of the blocks too, and add to each element of a block the sums of all blocks "  \
    "before it"

/* ROW(name, message, hint) */
#define ELEMENTS(ROW)                                                                              \
    ROW(inclusive, "every element includes its own value: this is an inclusive scan",              \
        "element i is the sum of the elements before i, so the first one is 0")                    \
    ROW(shifted, "every element is only the one before it; nothing is added up",                   \
        "element i is the sum of all elements before i")                                           \
    ROW(copied, "every element is the input as it is",                                             \
        "element i is the sum of all elements before i")                                           \
    ROW(backwards, "every element is the sum of the elements after it",                            \
        "element i is the sum of the elements before i")                                           \
    ROW(one_too_far, "the element right before each element is left out",                          \
        "element i is the sum of d_in[0] to d_in[i - 1], both included")                           \
    ROW(without_first, "the first element is never written", "nothing comes before it: it is 0")   \
    ROW(without_last, "the last element is never written",                                         \
        "indices run up to n - 1: a thread has an element if i < n")

/* ROW(name, block, message, hint): of mistakes that depend on the elements of a block. */
#define OF_BLOCK(ROW, block)                                                                       \
    ROW(restarts, block, "the sum starts again from 0 every " #block " elements", SUMS_HINT)       \
    ROW(restarts_inclusive, block,                                                                 \
        "the sum starts again every " #block " elements, and each element includes its own value", \
        SUMS_HINT)                                                                                 \
    ROW(block_before_only, block,                                                                  \
        "each block of " #block " elements adds the sum of the block before it, but of no other",  \
        SUMS_HINT)                                                                                 \
    ROW(own_sum_added, block, "each block of " #block " elements adds its own sum too",            \
        "block b needs the sums of the blocks before b: an exclusive scan of the sums")            \
    ROW(one_sum_missing, block,                                                                    \
        "each block of " #block " elements lacks the sum of the block right before it",            \
        "block b needs the sums of blocks 0 to b - 1, both included")                              \
    ROW(own_sum_only, block,                                                                       \
        "each block of " #block " elements adds its own sum, not those of the blocks before it",   \
        SUMS_HINT)                                                                                 \
    ROW(rest_missing, block,                                                                       \
        "the elements after the last whole block of " #block " are never written",                 \
        "round up: (n + " #block " - 1) / " #block " blocks")                                      \
    ROW(first_block_only, block, "only the first " #block " elements are written",                 \
        "launch blocks for all elements, and use blockIdx.x in the index")

#define BLOCKS(ROW)                                                                                \
    OF_BLOCK(ROW, 32)                                                                              \
    OF_BLOCK(ROW, 64)                                                                              \
    OF_BLOCK(ROW, 128)                                                                             \
    OF_BLOCK(ROW, 256)                                                                             \
    OF_BLOCK(ROW, 512)                                                                             \
    OF_BLOCK(ROW, 1024)                                                                            \
    OF_BLOCK(ROW, 2048)                                                                            \
    OF_BLOCK(ROW, 4096)

/* A second level of sums that is missing: a block of blocks. */
#define LEVELS_HINT                                                                                \
    "there are more sums of blocks than one block can scan: scan them in the same way, by blocks"
#define LEVELS(ROW)                                                                                \
    ROW(restarts, 16384, "the sum starts again from 0 every 16384 elements", LEVELS_HINT)          \
    ROW(restarts, 65536, "the sum starts again from 0 every 65536 elements", LEVELS_HINT)          \
    ROW(restarts, 262144, "the sum starts again from 0 every 262144 elements", LEVELS_HINT)        \
    ROW(restarts, 524288, "the sum starts again from 0 every 524288 elements", LEVELS_HINT)

/* ROW(name, rule, block, message, hint) */
#define OF_SCANS(ROW, block)                                                                       \
    ROW(last_of_block_lost, LAST_OF_BLOCK_LOST, block,                                             \
        "the sum of each block of " #block " elements lacks the block's last element",             \
        "the last element of an exclusive scan is the sum of all elements but the last: add that") \
    ROW(inclusive_by_blocks, INCLUSIVE, block,                                                     \
        "every element includes its own value, and every block of " #block " its own sum",         \
        "element i is the sum of the elements before i, so the first one is 0")                    \
    ROW(root_not_cleared, ROOT_NOT_CLEARED, block,                                                 \
        "every element also holds the sum of its whole block of " #block,                          \
        "set the root of the tree to 0 before the way down")
#define SCANS(ROW)                                                                                 \
    OF_SCANS(ROW, 32)                                                                              \
    OF_SCANS(ROW, 64)                                                                              \
    OF_SCANS(ROW, 128)                                                                             \
    OF_SCANS(ROW, 256)                                                                             \
    OF_SCANS(ROW, 512)                                                                             \
    OF_SCANS(ROW, 1024)                                                                            \
    OF_SCANS(ROW, 2048)                                                                            \
    OF_SCANS(ROW, 4096)

#define COUNTS(ROW)                                                                                \
    ROW(zeros_too, "zeros are counted too", "an element is kept if it is above 0")                 \
    ROW(negative_too, "all elements but zeros are counted", "an element is kept if it is above 0") \
    ROW(all_of_them, "all n elements are counted", "an element is kept if it is above 0")          \
    ROW(the_others, "the elements that are not kept are counted",                                  \
        "an element is kept if it is above 0")                                                     \
    ROW(last_uncounted, "the last element is never counted",                                       \
        "an exclusive scan leaves out the last flag: the count is the last place plus the last "   \
        "flag")                                                                                    \
    ROW(one_too_many, "the last element is always counted",                                        \
        "the count is the last place plus the last flag, which may be 0")                          \
    ROW(one_above_kept, "the count is one too large", "places start from 0, a count from 1")       \
    ROW(count_unwritten, "*d_count is never written", "one thread writes how many there are")      \
    ROW(values_added, "the elements are added up, not counted",                                    \
        "scan flags: 1 for an element above 0, 0 for another")

#define FIRST_OR_LAST(ROW, block)                                                                  \
    ROW(first, block, false, "only the first " #block " elements are counted")                     \
    ROW(last, block, true, "only the elements of the last block of " #block " are counted")
#define COUNTED_BLOCKS(ROW)                                                                        \
    FIRST_OR_LAST(ROW, 32)                                                                         \
    FIRST_OR_LAST(ROW, 64)                                                                         \
    FIRST_OR_LAST(ROW, 128)                                                                        \
    FIRST_OR_LAST(ROW, 256)                                                                        \
    FIRST_OR_LAST(ROW, 512)                                                                        \
    FIRST_OR_LAST(ROW, 1024)                                                                       \
    FIRST_OR_LAST(ROW, 2048)

#define COMPUTE_ELEMENT(name, message, hint)                                                       \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken_scan(problem, name, 1, out_values);                                        \
    }
ELEMENTS(COMPUTE_ELEMENT)
#undef COMPUTE_ELEMENT

#define COMPUTE_BLOCK(name, block, message, hint)                                                  \
    static int compute_##name##_##block(const struct oracle_problem *problem, double *out_values)  \
    {                                                                                              \
        return mistaken_scan(problem, name, block, out_values);                                    \
    }
BLOCKS(COMPUTE_BLOCK)
LEVELS(COMPUTE_BLOCK)
#undef COMPUTE_BLOCK

#define COMPUTE_SCAN(name, rule, block, message, hint)                                             \
    static int compute_##name##_##block(const struct oracle_problem *problem, double *out_values)  \
    {                                                                                              \
        return mistaken_blocks(problem, rule, block, out_values);                                  \
    }
SCANS(COMPUTE_SCAN)
#undef COMPUTE_SCAN

#define COMPUTE_COUNT(name, message, hint)                                                         \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return mistaken_count(problem, name, out_values);                                          \
    }
COUNTS(COMPUTE_COUNT)
#undef COMPUTE_COUNT

#define COMPUTE_COUNTED(name, block, is_last, message)                                             \
    static int compute_##name##_##block(const struct oracle_problem *problem, double *out_values)  \
    {                                                                                              \
        return mistaken_block(problem, block, is_last, out_values);                                \
    }
COUNTED_BLOCKS(COMPUTE_COUNTED)
#undef COMPUTE_COUNTED

#define MISTAKE(name, message, hint) {#name, message, hint, compute_##name},
#define MISTAKE_OF_BLOCK(name, block, message, hint)                                               \
    {#name "_" #block, message, hint, compute_##name##_##block},
#define MISTAKE_OF_SCAN(name, rule, block, message, hint)                                          \
    {#name "_" #block, message, hint, compute_##name##_##block},
#define MISTAKE_OF_COUNT(name, block, is_last, message)                                            \
    {#name "_" #block, message,                                                                    \
     "the count of all is the place of the last element, plus 1 if it is kept",                    \
     compute_##name##_##block},
static const struct oracle_mistake mistakes[] = {ELEMENTS(MISTAKE) BLOCKS(MISTAKE_OF_BLOCK) SCANS(
    MISTAKE_OF_SCAN) LEVELS(MISTAKE_OF_BLOCK) COUNTS(MISTAKE) COUNTED_BLOCKS(MISTAKE_OF_COUNT)};
#undef MISTAKE
#undef MISTAKE_OF_BLOCK
#undef MISTAKE_OF_SCAN
#undef MISTAKE_OF_COUNT

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .expect_all = expect_all,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
