/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME   reads sizes, one a line, and calls NAME once for each: histogram, or its
 *                       naive version, naiveHistogram
 *   PROGRAM [n]         by hand: compares each result with the host's, and measures; with values
 *                       that differ, and with values that are all equal
 */
#include "harness.cuh"
#include "histogram.h"

using harness::array;

enum { BINS = 256, USUAL = 1 << 22 };
typedef void count_function(const unsigned char *, int, unsigned int *);

/* naive.cu */
void naiveHistogram(const unsigned char *d_in, int n, unsigned int *d_bins);

static bool call(const char *name, count_function *count, int n, long highest, bool by_hand)
{
    array<unsigned char> in(n);
    array<unsigned int> bins(BINS);
    const std::vector<unsigned char> values =
        harness::numbers<unsigned char>(by_hand ? n : 0, 0, highest);
    in.set(values);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_bins", bins);
    count(in, n, bins);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<unsigned int> expected(BINS);
    for (const unsigned char value : values) {
        expected[value]++;
    }
    const bool is_right = harness::is_right("d_bins", bins.get(), expected);
    harness::print_time(name, n, [&] { count(in, n, bins); });
    return is_right;
}

static bool call_both(const char *name, count_function *count, int n, bool by_hand)
{
    if (!by_hand) {
        return call(name, count, n, BINS - 1, false);
    }
    printf("values from 0 to %d\n", BINS - 1);
    const bool is_right = call(name, count, n, BINS - 1, true);
    printf("all values 0\n");
    return call(name, count, n, 0, true) && is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call_both("histogram", histogram, numbers[0], by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call_both("naiveHistogram", naiveHistogram, numbers[0], by_hand);
}

int main(int argc, char **argv)
{
    return harness::main_of(argc, argv,
                            {{"histogram", {USUAL}, exercise}, {"naiveHistogram", {USUAL}, naive}});
}
