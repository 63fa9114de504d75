/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME    reads sizes, one a line, and calls NAME once for each: sum, max, or their
 *                        naive versions
 *   PROGRAM [n]          by hand: compares the results with the host's, and measures
 */
#include "harness.cuh"
#include "reduction.h"

using harness::array;

/* naive.cu */
void naiveSum(const float *d_in, float *d_out, int n);
void naiveMax(const int *d_in, int *d_out, int n);

/* Calls a function; `expect` gives the host's result. */
template <typename T, typename Expect>
static bool call(const char *name, void (*reduce)(const T *, T *, int), int n, bool by_hand,
                 Expect expect)
{
    array<T> in(n), out(1);
    const std::vector<T> elements = harness::numbers<T>(by_hand ? n : 0, -1000, 1000);
    in.set(elements);
    gpugrade_begin(name);
    gpugrade_operand("d_in", in);
    gpugrade_operand("d_out", out);
    reduce(in, out, n);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    const bool is_right = harness::is_right(name, out.get(), {expect(elements)});
    harness::print_time(name, 4.0 * n, [&] { reduce(in, out, n); });
    return is_right;
}

/* The elements are small whole numbers, so the sum is the same in every order. */
static float sum_of(const std::vector<float> &elements)
{
    double sum = 0.0;
    for (const float element : elements) {
        sum += element;
    }
    return (float)sum;
}

static int largest_of(const std::vector<int> &elements)
{
    return *std::max_element(elements.begin(), elements.end());
}

static bool sum(const int *numbers, bool by_hand)
{
    return call("reduceSum", reduceSum, numbers[0], by_hand, sum_of);
}

static bool naive_sum(const int *numbers, bool by_hand)
{
    return call("naiveSum", naiveSum, numbers[0], by_hand, sum_of);
}

static bool largest(const int *numbers, bool by_hand)
{
    return call("reduceMax", reduceMax, numbers[0], by_hand, largest_of);
}

static bool naive_largest(const int *numbers, bool by_hand)
{
    return call("naiveMax", naiveMax, numbers[0], by_hand, largest_of);
}

int main(int argc, char **argv)
{
    const int usual = 1 << 22;
    return harness::main_of(argc, argv,
                            {{"sum", {usual}, sum},
                             {"max", {usual}, largest},
                             {"naive-sum", {usual}, naive_sum},
                             {"naive-max", {usual}, naive_largest}});
}
